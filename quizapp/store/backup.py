"""Copies of the whole database file, beside it in `backups/`.

Raises what sqlite3 and the file system raise; the callers translate.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from glob import escape
from itertools import count
from pathlib import Path


def backup(path: Path, reason: str) -> Path:
    """Copy the database at `path`, consistently even while others write to it.

    Args:
        path: the database.
        reason: ends the name, as in `progress-20250131-235959-before-0002.db` (UTC).

    Returns:
        The copy: a single file without a write-ahead log, whole once it has this name.
    """
    partial, copy = _reserve(path, reason)
    try:
        with (
            closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(partial)) as target,
        ):
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
    except BaseException:
        partial.unlink()
        raise
    return partial.rename(copy)


def newest(path: Path) -> Path | None:
    """The latest backup of the database at `path`, by the time in its name."""
    copies = _folder(path).glob(f"{escape(path.stem)}-*.db")
    return max(copies, key=lambda copy: copy.stem, default=None)


def _reserve(path: Path, reason: str) -> tuple[Path, Path]:
    """Two names: of the unfinished copy, which now exists, and of the finished one.

    Whoever created the unfinished file owns the other name too, so two programs that make a backup
    within the same second do not overwrite each other's.
    """
    folder = _folder(path)
    folder.mkdir(exist_ok=True)
    slug = re.sub(r"[^a-z0-9]+", "-", reason.lower()).strip("-")
    stem = f"{path.stem}-{datetime.now(UTC):%Y%m%d-%H%M%S}-{slug}"
    for attempt in count(1):
        copy = folder / (f"{stem}.db" if attempt == 1 else f"{stem}-{attempt}.db")
        partial = copy.with_suffix(".partial")
        with suppress(FileExistsError):
            partial.touch(exist_ok=False)
            if not copy.exists():
                return partial, copy
            partial.unlink()
    raise AssertionError  # pragma: no cover - count() does not end


def _folder(path: Path) -> Path:
    return path.with_name("backups")
