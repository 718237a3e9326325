"""What concerns the whole database: emptying it, forgetting events, looking for damage."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, delete

from grader.facts import Fact, fact, quote
from quizapp.store import cards, log, meta, rebuilding
from quizapp.store.engine import without
from quizapp.store.tables import alias, draft, event

_PORTION = 500


def empty(connection: Connection, machine: str) -> None:
    """Remove everything but the machine's id and how far it has counted."""
    meta.keep_erased_sequence(connection, log.last_sequence(connection, machine))
    with without(connection, "trigger", event.name):
        for table in (*cards.CACHES, draft, alias, event):
            connection.execute(delete(table))


def forget(connection: Connection, machine: str, ids: Sequence[str]) -> None:
    """Remove these events, and what derives from them; drafts and renames stay."""
    meta.keep_erased_sequence(connection, log.last_sequence(connection, machine))
    for table in cards.CACHES:  # which refer to events
        connection.execute(delete(table))
    with without(connection, "trigger", event.name):
        for start in range(0, len(ids), _PORTION):
            portion = ids[start : start + _PORTION]
            connection.execute(delete(event).where(event.c.id.in_(portion)))
    rebuilding.rebuild(connection, None)


def compact(path: Path) -> None:
    """Overwrite the file, so that what was removed cannot be read from its free pages."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def problems(connection: Connection) -> list[Fact]:
    """List what SQLite finds wrong with pages, indexes and references; empty if all is well."""
    rows = connection.exec_driver_sql("PRAGMA integrity_check")
    found = [quote(message) for (message,) in rows if message != "ok"]
    orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    return found + [fact("store.orphan", row=row[1], table=row[0]) for row in orphans]
