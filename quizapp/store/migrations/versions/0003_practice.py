"""Events of the kind `reveal`, and practice. No table changes, but older versions must refuse them.

They would take the first `reveal` for damage, and schedule by practice.
"""

from __future__ import annotations

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Change nothing but the number."""
