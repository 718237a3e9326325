"""Events of the kind `submit`. No table changes, but older versions must refuse the database.

They would take the first such event for damage.
"""

from __future__ import annotations

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Change nothing but the number."""
