"""Notices a database that holds less than it once did: emptied, cut off, or replaced by an old one.

The newest backup that can be read is the witness. Sequence numbers never fall within one machine
id, not even by an erase; what may fall (a restore) goes on under another id.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from grader.facts import fact
from quizapp.store.safety.backup import content, latest_first, mark_of, opened
from quizapp.store.translate import loss_error


class Witness(NamedTuple):
    """The newest readable backup: its file, and the last event of which machine it knows."""

    copy: Path
    machine: str
    sequence: int


def witness(path: Path) -> Witness | None:
    """Return what the newest readable backup knows; None if there is none."""
    for copy in latest_first(path):
        # A damaged backup is not a witness; `quiz doctor` reports it.
        with suppress(sqlite3.Error), opened(copy.path, "immutable=1") as connection:
            return Witness(copy.path, *mark_of(connection))
    return None


FIRST_START_S = 3.0
"""While another program makes the database for the first time, its log fills before the file."""


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def refuse_if_emptied(path: Path) -> None:
    """Call this for a database that is absent or has no tables.

    Raises StoreLost: there is a backup with events in it, or the file's write-ahead log is still
    there, which SQLite would delete.
    """
    log = Path(f"{path}-wal")
    until = time.monotonic() + FIRST_START_S
    while _size(log) and not _size(path):
        if time.monotonic() > until:
            raise loss_error(path, fact("store.only-log", log=log.name))
        time.sleep(0.05)
    for copy in latest_first(path):
        with suppress(sqlite3.Error):  # as above
            if content(copy.path).events:
                if path.exists():
                    raise loss_error(path, fact("store.emptied", backup=copy.path.name))
                raise loss_error(path, fact("store.gone", backup=copy.path.name))
            return


def refuse_if_shorter(path: Path, known: Witness | None, machine: str, sequence: int) -> None:
    """Compare what was read of a backup earlier with what the database holds now.

    Raises StoreLost: the log ends before the backup's does.
    """
    if known is not None and known.machine == machine and sequence < known.sequence:
        reason = fact("store.shorter", last=sequence, backup=known.copy.name, known=known.sequence)
        raise loss_error(path, reason)
