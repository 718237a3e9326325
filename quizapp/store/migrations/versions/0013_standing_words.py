"""Whether the words of a mock interview stand, and what a submission failed at; no tables.

Older versions must refuse the database: to them the fields are not those of these events.
"""

from __future__ import annotations

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Change nothing."""
