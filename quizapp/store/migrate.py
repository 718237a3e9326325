"""Which schema a database file has, and bringing it up to ours.

A file that is not our database, or of a newer version, is refused before anything can change it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Connection

from grader.facts import fact
from quizapp.store import rebuilding, upgrading, upkeep
from quizapp.store.engine import BUSY_TIMEOUT_MS, Database, raw
from quizapp.store.safety.backup import backup, opened
from quizapp.store.safety.shrinking import refuse_if_emptied
from quizapp.store.translate import damage_error, too_new, translate_errors

REVISIONS = (
    "0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009", "0010", "0011", "0012",
    "0013",
)  # fmt: skip
"""All schemas there have been, oldest first; a test holds them equal to `migrations/versions`."""


Progress = Callable[[int, int], None]
"""Gets how much is done, of how much."""


def migrate(database: Database, progress: Progress | None = None) -> None:
    """Create or upgrade the schema, in one transaction and after a backup of what was there.

    Raises:
        StoreTooNew: the schema is not one of `REVISIONS`; the file is untouched.
        StoreDamaged: it is not a database, or not one of quiz; the file is untouched.
        StoreLost: nothing is in the file, and there is a backup with something in it.
    """
    newest = REVISIONS[-1]
    with translate_errors(database.path):
        found = revision(database.path, database.busy_timeout_ms)
        if found == newest:
            return
        if found is None:
            refuse_if_emptied(database.path)
    with database.writing() as connection:
        # Again, now that no other program can be at it: one of them may have been faster.
        found = _revision(raw(connection), database.path)
        if found == newest:
            return
        if found is not None:
            backup(database.path, f"before-{newest}")
        _upgrade(connection, progress)
    if found is not None:
        # Not possible while another program reads; then the file only stays as large as it was.
        with suppress(sqlite3.OperationalError):
            upkeep.compact(database.path)


def migrate_in_memory(database: Database) -> None:
    """Migrate a copy in memory, of which no backup is needed."""
    with database.writing() as connection:
        if _revision(raw(connection), database.path) != REVISIONS[-1]:
            _upgrade(connection, None)


def _upgrade(connection: Connection, progress: Progress | None) -> None:
    """Run the migrations, which may leave tables empty that derive from the log; fill these."""
    upgrading.upgrade(connection, progress and (lambda done, of: progress(done, 2 * of)))
    # One question that is damaged must not keep the others from being asked.
    rebuilding.rebuild(
        connection, progress and (lambda done, of: progress(of + done, 2 * of)), skips_damage=True
    )


def revision(path: Path, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> str | None:
    """Read the schema of a file, on a connection that cannot change it, even by a checkpoint.

    Returns:
        Its revision; None for a file that is absent or empty.

    Raises:
        StoreTooNew, StoreDamaged: it is none of ours.
        sqlite3.Error: it is not a database at all.
    """
    if not path.exists() or path.stat().st_size == 0:
        return None
    # A journal left by a kill before the first switch to WAL has to be rolled back, by writing.
    mode = "rw" if Path(f"{path}-journal").exists() else "ro"
    with opened(path, f"mode={mode}", busy_timeout_ms / 1000) as connection:
        return _revision(connection, path)


def _revision(connection: sqlite3.Connection, path: Path) -> str | None:
    """Read the schema's revision, None for an empty database."""
    query = "SELECT name FROM sqlite_master WHERE type = 'table'"
    tables = {name for (name,) in connection.execute(query)}
    if not tables:
        return None
    if "alembic_version" not in tables or "event" not in tables:
        raise damage_error(path, fact("store.not-quiz"))
    revisions = [name for (name,) in connection.execute("SELECT version_num FROM alembic_version")]
    revision = " ".join(revisions)
    if revision not in REVISIONS:
        raise too_new(path, revision or "?")
    return revision
