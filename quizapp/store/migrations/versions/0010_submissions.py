"""What stands of a mock interview's stage before its answer; the tables stay as they are.

Older versions must refuse the database: they would take the first such event for damage.
"""

from __future__ import annotations

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Change nothing."""
