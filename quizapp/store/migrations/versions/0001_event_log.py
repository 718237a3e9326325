"""The event log, the caches that derive from it, drafts and former ids."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_REFUSALS = {
    "event_no_update": ("UPDATE", ""),
    "event_no_delete": ("DELETE", ""),
    # INSERT OR REPLACE deletes without firing the trigger above.
    "event_no_replace": (
        "INSERT",
        (
            "WHEN EXISTS (SELECT 1 FROM event WHERE id = NEW.id"
            " OR (machine = NEW.machine AND sequence = NEW.sequence))"
        ),
    ),
}


def upgrade() -> None:
    """Create everything."""
    _create_log()
    _create_caches()
    op.create_table(
        "draft",
        sa.Column("question", sa.Text, primary_key=True, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("updated_ms", sa.Integer, nullable=False),
    )
    op.create_table(
        "alias",
        sa.Column("old", sa.Text, primary_key=True, nullable=False),
        sa.Column("new", sa.Text, nullable=False),
    )
    op.create_index("alias_new", "alias", ["new"])
    op.create_table(
        "meta",
        sa.Column("key", sa.Text, primary_key=True, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
    )


def _create_log() -> None:
    op.create_table(
        "event",
        sa.Column("id", sa.Text, primary_key=True, nullable=False),
        sa.Column("at_ms", sa.Integer, nullable=False),
        sa.Column("machine", sa.Text, nullable=False),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("session", sa.Text, nullable=False),
        sa.Column("question", sa.Text),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.UniqueConstraint("machine", "sequence", name="event_machine_sequence"),
    )
    op.create_index("event_question", "event", ["question"])
    op.create_index("event_order", "event", ["at_ms", "machine", "sequence"])
    for name, (act, when) in _REFUSALS.items():
        op.execute(
            f"CREATE TRIGGER {name} BEFORE {act} ON event {when} "
            "BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END"
        )


def _create_caches() -> None:
    op.create_table(
        "card",
        sa.Column("question", sa.Text, primary_key=True, nullable=False),
        sa.Column("stability", sa.Float),
        sa.Column("difficulty", sa.Float),
        sa.Column("last_day", sa.Integer),
        sa.Column("due_day", sa.Integer),
        sa.Column("repetitions", sa.Integer),
        sa.Column("lapses", sa.Integer),
        sa.Column("first_day", sa.Integer),
        sa.Column("passed", sa.Boolean, nullable=False),
        sa.Column("again_day", sa.Integer),
        sa.Column("rev", sa.Integer, nullable=False),
        sa.Column("buried_until", sa.Integer),
        sa.Column("suspended", sa.Boolean, nullable=False),
        sa.Column("flagged", sa.Boolean, nullable=False),
    )
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
    )
    op.create_index("answer_question", "answer", ["question"])
    op.create_index("answer_day", "answer", ["study_day", "counts", "was_new", "duration_ms"])
    op.create_index("answer_pace", "answer", ["kind", "counts", "correct", "at_ms"])
