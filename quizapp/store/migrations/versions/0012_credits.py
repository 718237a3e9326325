"""What an answer of a mock interview counts, by how sure the person was; no tables.

Older versions must refuse the database: to them the field is not one of these events.
"""

from __future__ import annotations

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Change nothing."""
