"""Mock interviews with stages that depend on an answer; the tables stay as they are.

Older versions must refuse the database: they would ask every stage.
"""

from __future__ import annotations

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Change nothing."""
