"""Events of plans, fits, mock interviews and placements; the tables stay as they are.

Older versions must refuse the database: they would take the first such event for damage.
"""

from __future__ import annotations

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Change nothing."""
