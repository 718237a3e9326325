"""The log in half the room: ids as bytes, answers packed, an integer for the caches to refer to.

`event` is copied row by row; a text that would not come back exactly is kept as it is. Tables that
derive from the log are made anew, empty: they are filled once all migrations have run.
"""

from __future__ import annotations

from itertools import islice

import sqlalchemy as sa
from alembic import context, op

from quizapp.store.packing import pack_id, pack_text

revision = "0005"
down_revision = "0004"

_BATCH = 10_000
_REFUSALS = {
    "event_no_update": ("UPDATE", ""),
    "event_no_delete": ("DELETE", ""),
    # INSERT OR REPLACE deletes without firing the trigger above.
    "event_no_replace": (
        "INSERT",
        (
            "WHEN EXISTS (SELECT 1 FROM event WHERE id = NEW.id OR row = NEW.row"
            " OR (machine = NEW.machine AND sequence = NEW.sequence))"
        ),
    ),
}


def upgrade() -> None:
    """Copy the log into its new form, and drop the old one with what refers to it."""
    op.drop_table("answer")
    op.rename_table("event", "event_before")
    for name in _REFUSALS:
        op.execute(f"DROP TRIGGER {name}")
    _create_log()
    _copy()
    op.drop_table("event_before")
    _guard_log()
    _create_caches()


def _create_log() -> None:
    op.create_table(
        "event",
        sa.Column("row", sa.Integer, primary_key=True, nullable=False),
        sa.Column("id", sa.LargeBinary, nullable=False),
        sa.Column("at_ms", sa.Integer, nullable=False),
        sa.Column("machine", sa.LargeBinary, nullable=False),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("session", sa.LargeBinary, nullable=False),
        sa.Column("question", sa.Text),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )


def _copy() -> None:
    driver = op.get_bind().connection.driver_connection
    assert driver is not None
    progress = context.config.attributes.get("progress")
    (events,) = driver.execute("SELECT count(*) FROM event_before").fetchone()
    rows = driver.execute(
        "SELECT id, at_ms, machine, sequence, session, question, kind, body FROM event_before"
        " ORDER BY at_ms, machine, sequence"
    )
    done = 0
    while batch := list(islice(rows, _BATCH)):
        if progress:
            progress(done, events)
        done += len(batch)
        packed = [
            (
                *(pack_id(id_), at_ms, pack_id(machine), sequence, pack_id(session)),
                *(question, kind, pack_text(body)),
            )
            for id_, at_ms, machine, sequence, session, question, kind, body in batch
        ]
        driver.executemany(
            "INSERT INTO event (id, at_ms, machine, sequence, session, question, kind, body)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            packed,
        )


def _guard_log() -> None:
    op.create_index("event_id", "event", ["id"], unique=True)
    op.create_index("event_machine_sequence", "event", ["machine", "sequence"], unique=True)
    op.create_index("event_question", "event", ["question"])
    op.create_index("event_order", "event", ["at_ms"])
    for name, (act, when) in _REFUSALS.items():
        op.execute(
            f"CREATE TRIGGER {name} BEFORE {act} ON event {when} "
            "BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END"
        )


def _create_caches() -> None:
    op.create_table(
        "asked",
        sa.Column("number", sa.Integer, primary_key=True, nullable=False),
        sa.Column("question", sa.Text, nullable=False),
    )
    op.create_index("asked_question", "asked", ["question"], unique=True)
    op.create_table(
        "answer",
        sa.Column(
            "event", sa.Integer, sa.ForeignKey("event.row"), primary_key=True, nullable=False
        ),
        sa.Column("question", sa.Integer, sa.ForeignKey("asked.number"), nullable=False),
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
