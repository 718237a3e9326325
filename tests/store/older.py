"""Databases as older versions of the program wrote them, by their own migrations and plain SQL."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from quizapp.domain.log.events import Flagged, Hinted, LogEntry, Tried
from quizapp.store import log, packing, upgrading
from quizapp.store.engine import Database
from quizapp.store.store import Store
from tests.store.tools import OTHER, Q, answer, build_answer, one, redo, undo

FIRST_DAY = 19_000


def fill(store: Store) -> str:
    """Answers, right and wrong, over some weeks, undone and redone; returns the machine's id."""
    for number in range(24):
        more = {"confidence": 1 + number % 3, "correct": number % 5 != 0, "rev": 1 + number // 20}
        event = answer(store, (Q, OTHER)[number % 2], FIRST_DAY + 3 * number, **more)
        if number % 7 == 0:
            undo(store, event)
        if number == 14:
            redo(store, event)
    answer(store, "p/said", kind="recall", response="a\u03b1\n0 2", confidence=None)
    one(store, "p/said", build_answer(practice=True, language="python", score=0.5))
    when = {"content_hash": "h", "rev": 1, "study_day": FIRST_DAY, "utc_ms": 0, "offset_s": 0}
    one(store, OTHER, Tried(**when, source="s[t] = \u00e4", gate="result", ran=True))
    one(store, OTHER, Hinted(number=1, utc_ms=5))
    one(store, OTHER, Flagged(on=True))
    return store.machine


def events_of(store: Store) -> list[LogEntry]:
    """Every event in the log, in its order."""
    with store._database.reading() as connection:
        return [log._event(row) for row in connection.execute(log._events.order_by(*log._order))]


def make_old(path: Path, known: Sequence[str], events: Sequence[LogEntry], machine: str) -> None:
    """Make a database of the last of the `known` revisions that holds these events.

    Its tables that derive from the log are empty: a migration must not rely on them.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as older:
        folder = Path(name) / "migrations"
        shutil.copytree(upgrading.MIGRATIONS, folder)
        for version in (folder / "versions").glob("*.py"):
            if version.name[:4] not in known:
                version.unlink()
        older.setattr(upgrading, "MIGRATIONS", folder)
        database = Database(path)
        with database.writing() as connection:
            upgrading.upgrade(connection)
        database.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO meta VALUES ('machine', ?)", (machine,))
        connection.execute("INSERT INTO draft VALUES (?, 'half a sentence', 7)", (Q,))
        if known[-1] < "0005":
            connection.executemany(
                "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)", map(old_row, events)
            )
        else:
            rows = (packed_row(number, event) for number, event in enumerate(events, 1))
            connection.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


def packed_row(number: int, event: LogEntry) -> tuple[object, ...]:
    """An event as revisions since 0005 store it."""
    id_, at_ms, machine, sequence, session, question, kind, body = old_row(event)
    name, owner, began = (packing.pack_id(str(each)) for each in (id_, machine, session))
    text = packing.pack_text(str(body))
    return (number, name, at_ms, owner, sequence, began, question, kind, text)


def old_row(event: LogEntry) -> tuple[object, ...]:
    """An event as revisions 0001 to 0004 stored it."""
    body = msgspec.json.encode(event.body).decode()
    kind = str(event.body.__struct_config__.tag)
    return (*(event.id, event.at_ms, event.machine, event.sequence), event.session, event.question,
            kind, body)  # fmt: skip
