"""From what SQLite, SQLAlchemy and the file system raise to the errors a person meets.

The only place that reads SQLite's error codes. Every message says what happened, the path, and the
way out.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote

from sqlalchemy.exc import DBAPIError

from grader.facts import Fact, fact
from quizapp.domain.errors import (
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreLost,
    StoreReadOnly,
    StoreTooNew,
)
from quizapp.store.safety.backup import newest_usable

_ROOM = 256 * 1024
"""Bytes: with less free, an I/O error is the disk being full (the -shm file needs 32 KiB)."""

_FULL = {errno.ENOSPC, errno.EDQUOT}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST, errno.EISDIR}


@contextmanager
def translate_errors(path: Path, writes: Path | None = None) -> Iterator[None]:
    """Raise a `StoreError` for whatever goes wrong with the database at `path` inside.

    `writes`: the file or folder that is written instead; one that is full is named by this.
    """
    target = writes or path
    try:
        yield
    except DBAPIError as error:
        if not isinstance(error.orig, sqlite3.Error):  # pragma: no cover - our driver is sqlite3
            raise
        raise _from_sqlite(error.orig, path, target) from error
    except sqlite3.Error as error:
        raise _from_sqlite(error, path, target) from error
    except UnicodeDecodeError as error:  # sqlite3, on a message that quotes a damaged page
        raise damage_error(path, fact("store.not-utf8")) from error
    except OSError as error:
        if error.errno in _FULL:
            raise full(_find_refused_path(error, target)) from error
        if error.errno in _FORBIDDEN:
            raise read_only_error(_find_refused_path(error, target)) from error
        raise


def _from_sqlite(error: sqlite3.Error, path: Path, target: Path) -> StoreError:
    # Without a code it is the driver's own complaint: a text column that is not UTF-8. With one,
    # the low byte is the primary code, which the rest only refines.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code in {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN} and not _has_room(target):
        code = sqlite3.SQLITE_FULL
    known: dict[int, Callable[[], StoreError]] = {
        sqlite3.SQLITE_BUSY: lambda: locked_error(path),
        sqlite3.SQLITE_LOCKED: lambda: locked_error(path),
        sqlite3.SQLITE_PROTOCOL: lambda: locked_error(path),
        sqlite3.SQLITE_READONLY: lambda: read_only_error(target),
        sqlite3.SQLITE_PERM: lambda: read_only_error(target),
        sqlite3.SQLITE_CANTOPEN: lambda: read_only_error(target),
        sqlite3.SQLITE_FULL: lambda: full(target),
        sqlite3.SQLITE_CORRUPT: lambda: damage_error(path, str(error)),
        sqlite3.SQLITE_NOTADB: lambda: damage_error(path, str(error)),
    }
    if code in known:
        return known[code]()
    return StoreError(fact("store.failed", path=str(path), message=str(error)))


def _find_refused_path(error: OSError, target: Path) -> Path:
    """Return the path the system refused, unless it is only a folder on the way to `target`."""
    if not error.filename:
        return target
    refused = Path(os.fsdecode(error.filename))
    return target if target.is_relative_to(refused) else refused


def _has_room(path: Path) -> bool:
    return shutil.disk_usage(path.parent).free >= _ROOM


def locked_error(path: Path) -> StoreLocked:
    """Report that another connection kept its lock for longer than the busy timeout."""
    return StoreLocked(fact("store.locked", path=str(path)))


def in_use(path: Path) -> StoreLocked:
    """Report that another connection has the database open, so that it cannot be replaced."""
    return StoreLocked(fact("store.in-use", path=str(path)))


def read_only_error(path: Path) -> StoreReadOnly:
    """Report that the file or its folder cannot be opened for writing."""
    return StoreReadOnly(
        fact("store.read-only", path=_real_path(path), folder=quote(str(path.parent)))
    )


def full(path: Path) -> StoreFull:
    """Report that the disk is full; the transaction was rolled back."""
    return StoreFull(fact("store.full", path=_real_path(path)))


def _real_path(path: Path) -> str | Fact:
    """Name the path and, where links lead elsewhere, the file that it really is."""
    real = path.resolve()
    if real == path.absolute():
        return str(path)
    return fact("store.linked", path=str(path), real=str(real))


def no_room(folder: Path, needed: int, free: int) -> StoreFull:
    """Report that a backup was not even begun."""
    return StoreFull(
        fact(
            "store.no-room",
            folder=str(folder),
            free=f"{free / 1e6:.1f}",
            needed=f"{needed / 1e6:.1f}",
        )
    )


def damage_error(path: Path, reason: str | Fact) -> StoreDamaged:
    """Report that the file is not a database, or its pages are inconsistent."""
    return StoreDamaged(fact("store.damaged", path=str(path), reason=reason), _ways_out(path))


def loss_error(path: Path, reason: Fact) -> StoreLost:
    """Report a file that holds less than a backup says it must."""
    return StoreLost(fact("store.lost", path=str(path), reason=reason), _ways_out(path))


def _ways_out(path: Path) -> Fact:
    """List the commands that lead out of damage; each keeps the file that it replaces."""
    usable, _ = newest_usable(path)
    if usable is None:
        return fact("store.ways-out")
    copy, held = usable
    return fact("store.ways-out-backup", backup=quote(str(copy.path)), events=held.events)


def too_new(path: Path, revision: str) -> StoreTooNew:
    """Report a schema of a version of quiz that this one does not know."""
    return StoreTooNew(fact("store.too-new", path=str(path), revision=revision))
