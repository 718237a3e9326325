"""The rolling copies: at most one per day, the latest seven days and eight weeks of them kept.

Uses connections of its own, so that it may run beside the thread that studies.
"""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from quizapp.store.safety.backup import BackupCopy, backup, content, content_of, copies, folder
from quizapp.store.translate import no_room, translate_errors

DAYS = 7
WEEKS = 8
_REASON = "daily"
_SPARE = 16 * 1024 * 1024
"""Bytes that a copy leaves free: a backup must not be what keeps the next answer from disk."""
_ABANDONED_S = 86_400
"""An unfinished copy as old as this belongs to a program that was killed."""


def roll(path: Path) -> Path | None:
    """Copy the database at `path` if today has no copy yet and something is new in it.

    Returns:
        The copy; None if none was due.

    Raises:
        StoreFull: there is too little room, and nothing was written.
        StoreDamaged: a page is not sound; all earlier copies are still there.
        StoreError: the file system refused.
    """
    with translate_errors(path, writes=folder(path)):
        made = rolling_copies(copies(path))
        today = datetime.now(UTC).date()
        if not path.exists() or any(copy.made.date() == today for copy in made):
            return None
        if not _has_news(path, made):
            return None
        _check_room(path)
        copy = backup(path, _REASON)
        for old in superfluous(rolling_copies(copies(path))):
            old.path.unlink(missing_ok=True)
        _remove_abandoned(path)
        return copy


def rolling_copies(found: Iterable[BackupCopy]) -> list[BackupCopy]:
    """Return the copies that were made by `roll`."""
    return [copy for copy in found if copy.reason.startswith(_REASON)]


def superfluous(made: Sequence[BackupCopy]) -> list[BackupCopy]:
    """Return rolling copies outside the latest days' and the latest weeks'."""
    days = {copy.made.date(): copy for copy in made}
    weeks = {copy.made.isocalendar()[:2]: copy for copy in made}
    kept = [days[day] for day in sorted(days)[-DAYS:]]
    kept += [weeks[week] for week in sorted(weeks)[-WEEKS:]]
    return [copy for copy in made if copy not in kept]


def _has_news(path: Path, made: Sequence[BackupCopy]) -> bool:
    """Return True unless the latest rolling copy holds the whole log."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        now = content_of(connection)
    if not made:
        return now.events > 0
    with suppress(sqlite3.Error):  # a copy that cannot be read holds nothing
        return now != content(made[-1].path)
    return True


def _check_room(path: Path) -> None:
    size = sum(file.stat().st_size for file in (path, Path(f"{path}-wal")) if file.exists())
    folder(path).mkdir(exist_ok=True)
    free = shutil.disk_usage(folder(path)).free
    if free < size + _SPARE:
        raise no_room(folder(path), size + _SPARE, free)


def _remove_abandoned(path: Path) -> None:
    for file in folder(path).glob("*.partial*"):
        with suppress(FileNotFoundError):  # finished just now, or removed by another program
            if time.time() - file.stat().st_mtime > _ABANDONED_S:
                file.unlink()
