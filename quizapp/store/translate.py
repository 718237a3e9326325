"""From what SQLite, SQLAlchemy and the file system raise to the errors a person meets.

The only place that reads SQLite's error codes. Every message says what happened, the path, and the
way out.
"""

from __future__ import annotations

import errno
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote

from sqlalchemy.exc import DBAPIError

from quizapp.errors import (
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
    StoreTooNew,
)
from quizapp.store.backup import newest

_ROOM = 256 * 1024
"""Bytes: with less free, an I/O error is the disk being full (the -shm file needs 32 KiB)."""

_FULL = {errno.ENOSPC, errno.EDQUOT}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST, errno.EISDIR}


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise a `StoreError` for whatever goes wrong with the database at `path` inside."""
    try:
        yield
    except DBAPIError as error:
        if not isinstance(error.orig, sqlite3.Error):  # pragma: no cover - our driver is sqlite3
            raise
        raise _from_sqlite(error.orig, path) from error
    except sqlite3.Error as error:
        raise _from_sqlite(error, path) from error
    except UnicodeDecodeError as error:  # sqlite3, on a message that quotes a damaged page
        raise damaged(path, "text that is not UTF-8") from error
    except OSError as error:
        if error.errno in _FULL:
            raise full(path) from error
        if error.errno in _FORBIDDEN:
            raise read_only(path) from error
        raise


def _from_sqlite(error: sqlite3.Error, path: Path) -> StoreError:
    # Without a code it is the driver's own complaint: a text column that is not UTF-8. With one,
    # the low byte is the primary code, which the rest only refines.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code in {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN} and not _has_room(path):
        code = sqlite3.SQLITE_FULL
    known: dict[int, Callable[[], StoreError]] = {
        sqlite3.SQLITE_BUSY: lambda: locked(path),
        sqlite3.SQLITE_LOCKED: lambda: locked(path),
        sqlite3.SQLITE_PROTOCOL: lambda: locked(path),
        sqlite3.SQLITE_READONLY: lambda: read_only(path),
        sqlite3.SQLITE_PERM: lambda: read_only(path),
        sqlite3.SQLITE_CANTOPEN: lambda: read_only(path),
        sqlite3.SQLITE_FULL: lambda: full(path),
        sqlite3.SQLITE_CORRUPT: lambda: damaged(path, str(error)),
        sqlite3.SQLITE_NOTADB: lambda: damaged(path, str(error)),
    }
    if code in known:
        return known[code]()
    return StoreError(
        f"The database {path} could not do what was asked: {error}.",
        "`quiz doctor` checks the database and says what is wrong with it.",
    )


def _has_room(path: Path) -> bool:
    return shutil.disk_usage(path.parent).free >= _ROOM


def locked(path: Path) -> StoreLocked:
    """Another connection kept its lock for longer than the busy timeout."""
    return StoreLocked(
        f"Another program holds the database {path} and did not let go of it.",
        "Close that program (another quiz, a database browser, a synchronising tool), "
        "then try again.",
    )


def read_only(path: Path) -> StoreReadOnly:
    """The file or its folder cannot be opened for writing."""
    return StoreReadOnly(
        f"The database {path} cannot be opened for writing.",
        f"Make it and its folder writable (chmod u+rwX {quote(str(path.parent))}), "
        "or choose another folder: QUIZ_HOME=/another/folder quiz start",
    )


def full(path: Path) -> StoreFull:
    """No room on the disk; the transaction was rolled back."""
    return StoreFull(
        f"The disk that holds {path} is full; nothing was written.",
        "Free some space, then try again: what you did is still in memory.",
    )


def damaged(path: Path, why: str) -> StoreDamaged:
    """No database, or one whose pages are inconsistent."""
    # The -wal file too: SQLite would replay it into the next database under that name.
    aside = quote(str(path.with_name("damaged")))
    steps = f"mkdir -p {aside} && mv {quote(str(path))}* {aside}/"
    backup = newest(path)
    if backup is None:
        way_out = f"There is no backup. Move it aside, and quiz starts anew:\n  {steps}"
    else:
        restore = f"cp {quote(str(backup))} {quote(str(path))}"
        way_out = f"Move it aside and bring back the newest backup:\n  {steps} && {restore}"
    return StoreDamaged(f"{path} is not a usable database ({why}). It was left as it is.", way_out)


def too_new(path: Path, revision: str) -> StoreTooNew:
    """The schema is of a version of quiz that this one does not know."""
    return StoreTooNew(
        f"A newer version of quiz wrote the database {path} (schema {revision}). "
        "It was left as it is.",
        "Upgrade quiz, or use another folder: QUIZ_HOME=/another/folder quiz start",
    )
