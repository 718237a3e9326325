"""The tables as they are at the newest migration, for building statements.

Owns names and columns; `migrations/` creates them, and a test holds the two equal. `event` is the
truth, `draft` a person's words; `card` and `answer` are caches that derive from `event`.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

event = Table(
    "event",
    metadata,
    Column("id", Text, primary_key=True, nullable=False),
    Column("at_ms", Integer, nullable=False),
    Column("machine", Text, nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("session", Text, nullable=False),
    Column("question", Text),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    UniqueConstraint("machine", "sequence", name="event_machine_sequence"),
    Index("event_question", "question"),
    Index("event_order", "at_ms", "machine", "sequence"),
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

answer = Table(
    "answer",
    metadata,
    Column("event", Text, ForeignKey("event.id"), primary_key=True, nullable=False),
    Column("question", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("study_day", Integer, nullable=False),
    Column("at_ms", Integer, nullable=False),
    Column("counts", Boolean, nullable=False),
    Column("was_new", Boolean, nullable=False),
    Column("correct", Boolean, nullable=False),
    Column("rating", Integer, nullable=False),
    Column("duration_ms", Integer, nullable=False),
    Column("elapsed", Integer, nullable=False),
    Index("answer_question", "question", "at_ms"),
    # Carries all that a day's counts need, so that they are read from the index alone.
    Index("answer_day", "study_day", "counts", "was_new", "duration_ms"),
    Index("answer_pace", "kind", "counts", "correct", "at_ms"),
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
