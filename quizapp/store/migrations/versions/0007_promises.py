"""Plans with what was chosen and promised for them; the tables stay as they are.

Older versions must refuse the database: they would take the first such plan for damage.
"""

from __future__ import annotations

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Change nothing."""
