"""What a guess scores, of a stage of a mock interview and of a question about a kernel; no tables.

Older versions must refuse the database: to them the fields are not those of these events.
"""

from __future__ import annotations

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Change nothing."""
