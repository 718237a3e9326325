"""The roll-ups, and what they need of an answer: its interval and its confidence.

Tables that derive from the log are made anew, empty: they are filled once all migrations have run.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_SUMS = (
    *("answers", "new", "right", "young", "young_recalled", "mature", "mature_recalled"),
    *("duration_ms", "guess", "guess_right", "fairly", "fairly_right", "certain", "certain_right"),
)


def upgrade() -> None:
    """Create the roll-ups, and `answer` with two columns more."""
    op.drop_table("answer")
    _create_answer()
    days = sa.Column("study_day", sa.Integer, primary_key=True, nullable=False)
    questions = sa.Column("question", sa.Text, primary_key=True, nullable=False)
    for name, key in (("day_total", days), ("question_total", questions)):
        sums = (sa.Column(each, sa.Integer, nullable=False) for each in _SUMS)
        op.create_table(name, key, *sums)
    op.create_table(
        "part_count",
        sa.Column("question", sa.Text, primary_key=True, nullable=False),
        sa.Column("rev", sa.Integer, primary_key=True, nullable=False),
        sa.Column("of", sa.Text, primary_key=True, nullable=False),
        sa.Column("part", sa.Text, primary_key=True, nullable=False),
        sa.Column("times", sa.Integer, nullable=False),
    )


def _create_answer() -> None:
    op.create_table(
        "answer",
        sa.Column("event", sa.Text, sa.ForeignKey("event.id"), primary_key=True, nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("study_day", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.Integer, nullable=False),
        sa.Column("counts", sa.Boolean, nullable=False),
        sa.Column("was_new", sa.Boolean, nullable=False),
        sa.Column("correct", sa.Boolean, nullable=False),
        sa.Column("rating", sa.Integer, nullable=False),
        sa.Column("duration_ms", sa.Integer, nullable=False),
        sa.Column("elapsed", sa.Integer, nullable=False),
        sa.Column("interval", sa.Integer, nullable=False),
        sa.Column("confidence", sa.Integer),
    )
    op.create_index("answer_question", "answer", ["question", "at_ms"])
    op.create_index("answer_day", "answer", ["study_day"])
    op.create_index("answer_pace", "answer", ["kind", "counts", "correct", "at_ms"])
