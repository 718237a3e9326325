"""Puts another database in the place of the present one, which is kept beside it.

The new one is built and checked in a folder of its own, then renamed into place: whenever this is
interrupted, a whole database is there, and the former one too.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from quizapp.store.safety.backup import quick_check, sync
from quizapp.store.translate import in_use, translate_errors

T = TypeVar("T")

_SHARED_FIRST, _SHARED_SIZE = 0x40000002, 510
"""The bytes that SQLite locks for as long as a database is open, written to or not."""


def replace_database(path: Path, build: Callable[[Path], T]) -> tuple[T, Path | None]:
    """Have `build` make a database, then put it at `path`.

    `path`: of the database to be replaced, which may be absent or damaged. `build`: called with the
    path to make the new database at; nothing may have it open at return.

    Returns:
        What `build` returned, and where the former file, or its log, is now, if there was one.

    Raises:
        StoreLocked: another program has the database open; nothing was changed.
        StoreError: the new database could not be made, or put in place.
    """
    with translate_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with _lock_exclusively(path):
            before = _state(path)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".new-") as name:
            new = Path(name) / path.name
            made = build(new)
            with closing(sqlite3.connect(new)) as connection:
                quick_check(connection)
            sync(new)
            with _lock_exclusively(path):
                if _state(path) != before:
                    raise in_use(path)
                kept = _keep(path) if before else None
                new.replace(path)
                sync(path.parent)
    return made, kept


@contextmanager
def _lock_exclusively(path: Path) -> Iterator[None]:
    """Hold the lock that SQLite would, so that no other program opens the file meanwhile."""
    if not path.exists():
        yield
        return
    with path.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _SHARED_SIZE, _SHARED_FIRST)
        except OSError as error:
            if error.errno in {errno.EACCES, errno.EAGAIN}:
                raise in_use(path) from error
            raise
        yield


def _keep(path: Path) -> Path:
    """Keep the database, with its logs, in a folder named by the time; one may be absent.

    The file itself is linked, so that there is always one at `path`. Its logs go first: SQLite
    would replay them into the next database.
    """
    folder = _make_folder(path.with_name("replaced") / f"{datetime.now(UTC):%Y%m%d-%H%M%S}")
    kept = folder / path.name
    if path.exists():
        try:
            os.link(path, kept)
        except OSError:  # a file system without links
            shutil.copy2(path, kept)
    for log in _logs(path):
        if log.exists():
            log.rename(folder / log.name)
    Path(f"{path}-shm").unlink(missing_ok=True)
    sync(folder)
    return kept


def _make_folder(wanted: Path) -> Path:
    """Make the folder, with a number behind its name if that exists, and return it."""
    number = 1
    folder = wanted
    while True:
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            number += 1
            folder = wanted.with_name(f"{wanted.name}-{number}")
        else:
            return folder


def _state(path: Path) -> list[tuple[int, int]]:
    """Return what changes when another program writes."""
    files = [file for file in (path, *_logs(path)) if file.exists()]
    return [(file.stat().st_mtime_ns, file.stat().st_size) for file in files]


def _logs(path: Path) -> tuple[Path, ...]:
    return Path(f"{path}-wal"), Path(f"{path}-journal")
