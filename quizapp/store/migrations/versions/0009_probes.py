"""Answers to questions that were made from a kernel; the tables stay as they are.

Older versions must refuse the database: they would take the first such answer for damage.
"""

from __future__ import annotations

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Change nothing."""
