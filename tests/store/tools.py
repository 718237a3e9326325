"""What the store's tests are made with: events with every field filled in, and looks underneath."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from grader.facts import quote
from quizapp.domain.errors import StoreFull
from quizapp.domain.log.events import Answered, Body, LogEntry, ParametersSet, Unvoided, Voided
from quizapp.domain.rating import Rating, Rule
from quizapp.domain.schedule import SCHEDULER_VERSION, Parameters
from quizapp.store.engine import raw
from quizapp.store.log import NewEvent
from quizapp.store.store import Store

PARAMETERS = Parameters()
NOON_MS = 1_700_000_000_000
Q = "shared-memory/stride-2"
OTHER = "shared-memory/padding"

ROOT = Path(__file__).parents[2]


class FullOnce(Store):
    """The disk is full, then somebody makes room."""

    fails = 1

    def append(self, new):
        if self.fails:
            self.fails -= 1
            raise StoreFull(quote("The disk is full."), quote("make room"))
        return super().append(new)


def new(
    question: str | None, body: Body, *, utc_ms: int = NOON_MS, session: str = "session"
) -> NewEvent:
    return NewEvent(uuid4().hex, session, question, body, utc_ms)


def build_answer(day: int = 19_000, *, correct: bool = True, **more) -> Answered:
    """An answer by the person's clock on study day `day`."""
    facts = {
        "kind": "number",
        "content_hash": "0f" * 16,
        "rev": 1,
        "study_day": day,
        "utc_ms": day * 86_400_000,
        "offset_s": 3600,
        "correct": correct,
        "score": float(correct),
        "duration_ms": 1500,
        "response": "32 ⟂ a[tid]",
        "drawn": {"order": [2, 0, 1]},
        "rating": Rating.GOOD if correct else Rating.AGAIN,
        "rule": Rule.UNAIDED if correct else Rule.WRONG,
        "scheduler": SCHEDULER_VERSION,
        "parameters_id": PARAMETERS.id,
        "due_day": day + 3,
    }
    return Answered(**(facts | more))


def answer(store: Store, question: str = Q, day: int = 19_000, **more) -> LogEntry:
    """Log one answer."""
    return one(store, question, build_answer(day, **more))


def one(store: Store, question: str | None, body: Body, **more) -> LogEntry:
    """Log one event."""
    (event,) = store.append([new(question, body, **more)])
    return event


def undo(store: Store, event: LogEntry) -> LogEntry:
    return one(store, event.question, Voided(target=event.id))


def redo(store: Store, event: LogEntry) -> LogEntry:
    return one(store, event.question, Unvoided(target=event.id))


def with_parameters(store: Store) -> Store:
    """The store, with the parameters that `answered` refers to in its log."""
    one(store, None, ParametersSet(parameters=PARAMETERS))
    return store


@contextmanager
def driver(store: Store) -> Iterator[sqlite3.Connection]:
    """The very connection that the store writes with."""
    with store._database._engine.connect() as connection:
        yield raw(connection)


def dump_tables(path: Path) -> str:
    """All tables of the file as SQL, read by sqlite3 alone."""
    connection = sqlite3.connect(path)
    try:
        return "\n".join(connection.iterdump())
    finally:
        connection.close()


def writer(*arguments: object) -> subprocess.Popen[str]:
    """Another process at the same database; see `writer.py`."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store.writer", *map(str, arguments)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@contextmanager
def unprivileged() -> Iterator[None]:
    """As a user whom permission bits bind, which they do not bind root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(0)
