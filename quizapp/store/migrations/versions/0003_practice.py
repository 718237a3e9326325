"""Events of the kind `reveal`, and practice; the latest answer to a question by an index.

Older versions must refuse the database: they would take the first `reveal` for damage, and schedule
by practice.
"""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Widen the index of answers by question."""
    op.drop_index("answer_question", "answer")
    op.create_index("answer_question", "answer", ["question", "at_ms"])
