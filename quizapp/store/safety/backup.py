"""Copies of the whole database file, in the folder `backups` beside it: made, checked, listed.

A copy is complete, checked and on disk before it gets its name. Raises what sqlite3 and the file
system raise; the callers translate.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from glob import escape
from itertools import count
from pathlib import Path

from quizapp.store.packing import pack_id

_STAMP = "%Y%m%d-%H%M%S"
_AHEAD = timedelta(days=1)
"""A copy dated further ahead than this was made under a wrong clock."""


@dataclass(frozen=True, slots=True)
class BackupCopy:
    """A finished copy: `made` (UTC) and `reason` are in its name, `size` is in bytes."""

    path: Path
    made: datetime
    reason: str
    size: int


@dataclass(frozen=True, slots=True)
class LogExtent:
    """How far a database's log has come, under which machine id it goes on."""

    machine: str
    sequence: int
    events: int


def backup(path: Path, reason: str) -> Path:
    """Copy the database at `path`, consistently even while others write to it.

    `reason`: ends the name, as in `progress-20250131-235959-before-0002.db` (UTC).

    Returns:
        The copy: a single file without a write-ahead log, whole once it has this name.
    """
    partial, copy = _reserve(path, reason)
    write_copy(path, partial)
    return rename_finished(partial, copy)


def opened(path: Path, how: str = "mode=ro", timeout_s: float = 5.0) -> closing[sqlite3.Connection]:
    """Open a database file as it is, for `with`; `how`: parameters of its URI."""
    uri = f"{path.absolute().as_uri()}?{how}"
    return closing(sqlite3.connect(uri, uri=True, timeout=timeout_s))


def write_copy(source: Path, target: Path) -> None:
    """Copy the database `source` into the file `target`, checked and on disk at return.

    Raises sqlite3.Error, OSError: `target` is gone again.
    """
    try:
        with (
            opened(source) as original,
            closing(sqlite3.connect(target)) as copy,
        ):
            original.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            quick_check(copy)
        sync(target)
    except BaseException:
        for file in target.parent.glob(f"{escape(target.name)}*"):
            file.unlink()
        raise


def quick_check(connection: sqlite3.Connection) -> None:
    """Check that every page is sound.

    Raises sqlite3.DatabaseError: one is not, in SQLite's words.
    """
    found = [row[0] for row in connection.execute("PRAGMA quick_check(3)")]
    if found != ["ok"]:
        # A message may have several lines, the first of which names the database only.
        lines = [line for message in found for line in str(message).splitlines()]
        raise sqlite3.DatabaseError("; ".join(line for line in lines if line[:3] != "***"))


def rename_finished(partial: Path, copy: Path) -> Path:
    """Give a finished file its name, on disk at return."""
    partial.rename(copy)
    sync(copy.parent)
    return copy


def sync(path: Path) -> None:
    """Wait until a file, or a folder's list of names, is on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def copies(path: Path) -> list[BackupCopy]:
    """List all finished copies of the database at `path`, oldest first."""
    pattern = re.compile(rf"{re.escape(path.stem)}-(\d{{8}}-\d{{6}})-(.+)\.db")
    found: list[BackupCopy] = []
    try:
        files = list(folder(path).glob(f"{escape(path.stem)}-*.db"))
    except PermissionError:  # without access to the folder, none of them can be used
        return found
    for file in files:
        match = pattern.fullmatch(file.name)
        if match is None:
            continue
        with suppress(ValueError, FileNotFoundError):  # no date; or removed by another program
            made = datetime.strptime(match[1], _STAMP).replace(tzinfo=UTC)
            found.append(BackupCopy(file, made, match[2], file.stat().st_size))
    return sorted(found, key=lambda copy: (copy.made, copy.path.stem))


def latest_first(path: Path) -> list[BackupCopy]:
    """List all finished copies of the database at `path`; those from the future come last."""
    limit = datetime.now(UTC) + _AHEAD
    return sorted(copies(path), key=lambda c: (c.made < limit, c.made, c.path.stem), reverse=True)


def newest(path: Path) -> BackupCopy | None:
    """Return the latest copy of the database at `path`; from the future only if it is alone."""
    return next(iter(latest_first(path)), None)


def newest_usable(path: Path) -> tuple[tuple[BackupCopy, LogExtent] | None, tuple[BackupCopy, ...]]:
    """Find the latest sound copy that holds something, and the damaged ones later than it.

    Reads each of these copies whole.
    """
    unusable = []
    for copy in latest_first(path):
        try:
            held = check_copy(copy.path)
        except sqlite3.Error:
            unusable.append(copy)
            continue
        if held.events:
            return (copy, held), tuple(unusable)
    return None, tuple(unusable)


def find_damaged(found: Iterable[BackupCopy]) -> list[BackupCopy]:
    """Find the copies that cannot be brought back; reads each of them whole."""
    unusable = []
    for copy in found:
        try:
            check_copy(copy.path)
        except sqlite3.Error:
            unusable.append(copy)
    return unusable


def check_copy(copy: Path) -> LogExtent:
    """Read all of a finished copy, check that it is sound, and return what it holds.

    Raises sqlite3.Error: it is damaged, or holds no progress.
    """
    try:
        with opened(copy, "immutable=1") as connection:
            quick_check(connection)
            return content_of(connection)
    except ValueError as error:  # text that is not UTF-8, or that should be a number
        raise sqlite3.DatabaseError(str(error)) from error


def content(copy: Path) -> LogExtent:
    """Return what a finished copy holds, read without touching it.

    Raises sqlite3.Error: it cannot be read.
    """
    with opened(copy, "immutable=1") as connection:
        return content_of(connection)


def content_of(connection: sqlite3.Connection) -> LogExtent:
    """Return what the database holds that is open here. Raises sqlite3.Error: it cannot be read."""
    (events,) = connection.execute("SELECT count(*) FROM event").fetchone()
    return LogExtent(*mark_of(connection), events)


def mark_of(connection: sqlite3.Connection) -> tuple[str, int]:
    """Return machine id and last sequence number given under it; reads an index alone.

    Raises sqlite3.Error: it cannot be read.
    """
    meta = dict(connection.execute("SELECT key, value FROM meta"))
    machine = meta.get("machine", "")
    # Copies of older versions have the id as text.
    query = "SELECT max(sequence) FROM event WHERE machine IN (?, ?)"
    (highest,) = connection.execute(query, (machine, pack_id(machine))).fetchone()
    return machine, max(highest or 0, int(meta.get("erased-sequence", 0)))


def folder(path: Path) -> Path:
    """Return where the copies of the database at `path` are."""
    return path.with_name("backups")


def _reserve(path: Path, reason: str) -> tuple[Path, Path]:
    """Reserve two names: of the unfinished copy, which now exists, and of the finished one.

    Whoever created the unfinished file owns the other name too, so two programs that make a backup
    within the same second do not overwrite each other's.
    """
    folder(path).mkdir(exist_ok=True)
    slug = re.sub(r"[^a-z0-9]+", "-", reason.lower()).strip("-")
    stem = f"{path.stem}-{datetime.now(UTC):{_STAMP}}-{slug}"
    for attempt in count(1):
        copy = folder(path) / (f"{stem}.db" if attempt == 1 else f"{stem}-{attempt}.db")
        partial = copy.with_suffix(".partial")
        with suppress(FileExistsError):
            partial.touch(exist_ok=False)
            if not copy.exists():
                return partial, copy
            partial.unlink()
    raise AssertionError  # pragma: no cover - count() does not end
