"""The tables as they are at the newest migration, for building statements.

Owns names and columns; `migrations/` creates them, and a test holds the two equal. `event` is the
truth, `draft` a person's words; `card` and `answer` are caches that derive from `event`, and the
roll-ups `day_total`, `question_total` and `part_count` sum those up. `asked` numbers the questions
of `answer`.
"""

from __future__ import annotations

from dataclasses import fields

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, MetaData, Table, Text

from quizapp.domain.log.totals import Totals
from quizapp.store.columns import BodyText, Id

metadata = MetaData()

event = Table(
    "event",
    metadata,
    # Of this file alone: what the caches call the event by.
    Column("row", Integer, primary_key=True, nullable=False),
    Column("id", Id, nullable=False),
    Column("at_ms", Integer, nullable=False),
    Column("machine", Id, nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("session", Id, nullable=False),
    Column("question", Text),
    Column("kind", Text, nullable=False),
    Column("body", BodyText, nullable=False),
    Index("event_id", "id", unique=True),
    Index("event_machine_sequence", "machine", "sequence", unique=True),
    Index("event_question", "question"),
    Index("event_order", "at_ms"),
)

card = Table(
    "card",
    metadata,
    Column("question", Text, primary_key=True, nullable=False),
    Column("stability", Float),
    Column("difficulty", Float),
    Column("last_day", Integer),
    Column("due_day", Integer),
    Column("repetitions", Integer),
    Column("lapses", Integer),
    Column("first_day", Integer),
    Column("passed", Boolean, nullable=False),
    Column("again_day", Integer),
    Column("rev", Integer, nullable=False),
    Column("buried_until", Integer),
    Column("suspended", Boolean, nullable=False),
    Column("flagged", Boolean, nullable=False),
)

asked = Table(
    "asked",
    metadata,
    Column("number", Integer, primary_key=True, nullable=False),
    Column("question", Text, nullable=False),
    Index("asked_question", "question", unique=True),
)

answer = Table(
    "answer",
    metadata,
    Column("event", Integer, ForeignKey("event.row"), primary_key=True, nullable=False),
    Column("question", Integer, ForeignKey("asked.number"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("study_day", Integer, nullable=False),
    Column("at_ms", Integer, nullable=False),
    Column("counts", Boolean, nullable=False),
    Column("was_new", Boolean, nullable=False),
    Column("correct", Boolean, nullable=False),
    Column("rating", Integer, nullable=False),
    Column("duration_ms", Integer, nullable=False),
    Column("elapsed", Integer, nullable=False),
    Column("interval", Integer, nullable=False),
    Column("confidence", Integer),
    Index("answer_question", "question", "at_ms"),
    Index("answer_day", "study_day"),
    Index("answer_pace", "kind", "counts", "correct", "at_ms"),
)


def _sums() -> list[Column[int]]:
    return [Column(each.name, Integer, nullable=False) for each in fields(Totals)]


day_total = Table(
    "day_total",
    metadata,
    Column("study_day", Integer, primary_key=True, autoincrement=False, nullable=False),
    *_sums(),
)

question_total = Table(
    "question_total", metadata, Column("question", Text, primary_key=True, nullable=False), *_sums()
)

part_count = Table(
    "part_count",
    metadata,
    Column("question", Text, primary_key=True, nullable=False),
    Column("rev", Integer, primary_key=True, nullable=False),
    Column("of", Text, primary_key=True, nullable=False),
    Column("part", Text, primary_key=True, nullable=False),
    Column("times", Integer, nullable=False),
)

draft = Table(
    "draft",
    metadata,
    Column("question", Text, primary_key=True, nullable=False),
    Column("text", Text, nullable=False),
    Column("updated_ms", Integer, nullable=False),
)

alias = Table(
    "alias",
    metadata,
    Column("old", Text, primary_key=True, nullable=False),
    Column("new", Text, nullable=False),
    Index("alias_new", "new"),
)

meta = Table(
    "meta",
    metadata,
    Column("key", Text, primary_key=True, nullable=False),
    Column("value", Text, nullable=False),
)
