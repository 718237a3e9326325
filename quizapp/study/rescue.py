"""The ways out when progress is damaged or lost: what each would keep, and taking one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from quizapp.store.safety import recovery
from quizapp.store.safety.backup import BackupCopy, copies, newest_usable

__all__ = ["BackupCopy", "RescueResult", "Way", "Ways", "ways_out"]

Name = Literal["restore", "salvage", "empty"]


@dataclass(frozen=True, slots=True)
class RescueResult:
    """A database is in place: its number of events, and where the former file is, if any."""

    events: int
    kept: Path | None


@dataclass(frozen=True, slots=True)
class Way:
    """One way out, and how many events it keeps. `copy`: the backup that would be restored."""

    name: Name
    take: Callable[[], RescueResult]
    events: int = 0
    copy: BackupCopy | None = None


@dataclass(frozen=True, slots=True)
class Ways:
    """What can be done, what keeps most first.

    `unusable`: damaged backups that are newer than the one that can be restored. `others`: the
    number of backups that were not looked at.
    """

    ways: tuple[Way, ...]
    unusable: tuple[BackupCopy, ...] = ()
    others: int = 0


def ways_out(database: Path) -> Ways:
    """List what can be done about the database; each way keeps the file that is there.

    Raises StoreError: the file cannot be read.
    """
    found = []
    usable, unusable = newest_usable(database)
    if usable is not None:
        copy, held = usable
        found.append(Way("restore", partial(_restore, database, copy.path), held.events, copy))
    left = recovery.salvageable(database)
    if left:
        found.append(Way("salvage", partial(_salvage, database), left))
    found.sort(key=lambda way: way.events, reverse=True)
    found.append(Way("empty", partial(_start_over, database)))
    looked_at = len(unusable) + (usable is not None)
    return Ways(tuple(found), unusable, len(copies(database)) - looked_at)


def _restore(database: Path, copy: Path) -> RescueResult:
    done = recovery.restore(database, copy)
    return RescueResult(done.events, done.kept)


def _salvage(database: Path) -> RescueResult:
    done = recovery.salvage_database(database)
    return RescueResult(len(done.rescued.events), done.kept)


def _start_over(database: Path) -> RescueResult:
    return RescueResult(0, recovery.start_over(database))
