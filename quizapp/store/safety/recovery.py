"""Ways out when progress is damaged or lost: a backup, what can be rescued, or an empty database.

Each builds another database and puts it in the place of the present one, which is kept beside. What
follows is logged under a new machine id, so that its events never collide with those of the former.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from uuid import uuid4

from grader.facts import fact
from quizapp.domain.errors import StoreDamaged, StoreError
from quizapp.domain.log.events import ParametersSet
from quizapp.store import aside, log, meta, rebuilding
from quizapp.store.log import NewEvent
from quizapp.store.migrate import revision
from quizapp.store.safety import salvage
from quizapp.store.safety.backup import (
    backup,
    content_of,
    folder,
    opened,
    quick_check,
    rename_finished,
    write_copy,
)
from quizapp.store.safety.replace import replace_database
from quizapp.store.safety.salvage import RescuedRows
from quizapp.store.safety.shrinking import refuse_if_emptied
from quizapp.store.store import Store
from quizapp.store.translate import translate_errors


@dataclass(frozen=True, slots=True)
class Restoration:
    """A backup in place: its number of events, and where the former file is, if there was one."""

    events: int
    kept: Path | None


@dataclass(frozen=True, slots=True)
class SalvageReport:
    """A database of what was rescued, in place; and where the damaged file is."""

    rescued: RescuedRows
    kept: Path | None


def back_up(path: Path, target: Path | None = None) -> Path:
    """Copy the database at `path` to `target`, or into `backups/` beside it; return the path.

    Raises:
        StoreDamaged: a page is not sound, or there is nothing to copy.
        StoreError: there is no copy.
    """
    with translate_errors(path, writes=target or folder(path)):
        if revision(path) is None:
            refuse_if_emptied(path)
            raise StoreDamaged(fact("store.no-progress", path=str(path)))
        if target is None:
            return backup(path, "by-hand")
        partial = target.with_name(f".{target.name}.{uuid4().hex}.partial")
        write_copy(path, partial)
        return rename_finished(partial, target)


def restore(path: Path, copy: Path) -> Restoration:
    """Put the backup `copy` at `path`; the copy itself stays.

    Raises:
        StoreTooNew, StoreDamaged: of the copy; nothing was changed.
        StoreError: nothing was changed.
    """
    with _of_copy(copy, copy):
        found = revision(copy)
    if found is None:
        raise StoreDamaged(fact("store.empty-backup", path=str(copy)))

    def build(new: Path) -> int:
        with _of_copy(copy, path.parent):
            write_copy(copy, new)
        return _renew(new)

    return Restoration(*replace_database(path, build))


def salvageable(path: Path) -> int:
    """Count the events that can be read of the database at `path`, however damaged it is.

    Raises StoreError: the file cannot be read at all.
    """
    with translate_errors(path):
        return len(salvage.rescue(path).events)


def salvage_database(path: Path, source: Path | None = None) -> SalvageReport:
    """Put a database with all that can be read of `source` at `path`; else of the one there.

    Raises:
        StoreDamaged: there is nothing to rescue; nothing was changed.
        StoreError: nothing was changed.
    """
    source = source or path
    with translate_errors(source):
        rescued = salvage.rescue(source)
    if not rescued.events:
        answers = _count_derived_answers(source)
        if answers:
            raise StoreDamaged(fact("store.only-answers", path=str(source), answers=answers))
        raise StoreDamaged(fact("store.no-events", path=str(source)))

    def build(new: Path) -> None:
        with Store.open(new) as store, store.writing() as connection:
            salvage.write(connection, rescued)
            wanted = [ParametersSet(parameters=known) for known in rescued.parameters]
            now_ms = int(time.time() * 1000)
            missing = [NewEvent(uuid4().hex, "salvage", None, body, now_ms) for body in wanted]
            log.append(connection, store.machine, missing)
            aside.note(connection)
            rebuilding.rebuild(connection, None)

    _, kept = replace_database(path, build)
    return SalvageReport(rescued, kept)


def _count_derived_answers(path: Path) -> int:
    """Count the answers that a database without a readable log has in its other tables."""
    try:
        with opened(path) as connection:
            (answers,) = connection.execute("SELECT count(rating) FROM answer").fetchone()
    except (sqlite3.Error, UnicodeDecodeError):
        return 0
    return int(answers)


def is_healthy(path: Path) -> bool:
    """Return True if there is a database at `path` that quiz can use, and all of it is sound.

    Raises StoreError: that cannot be seen now, or a newer version wrote it.
    """
    try:
        with translate_errors(path):
            if revision(path) is None:
                return False
        with Store.open(path) as store:
            return not store.check()
    except StoreDamaged:
        return False


def is_sound(path: Path) -> bool:
    """Return True if `restore` would take the file, a database that was replaced."""
    try:
        with translate_errors(path), opened(path) as connection:
            quick_check(connection)
            return content_of(connection).events > 0
    except StoreError:
        return False


def start_over(path: Path) -> Path | None:
    """Put an empty database at `path`; return where the former file is, if there was one.

    Raises StoreError: nothing was changed.
    """
    _, kept = replace_database(path, _renew)
    return kept


@contextmanager
def _of_copy(copy: Path, writes: Path) -> Iterator[None]:
    """Do as `translate_errors`, for a damaged file that is not the person's database.

    Raises StoreDamaged: with ways out that concern this file.
    """
    try:
        with translate_errors(copy, writes=writes):
            yield
    except StoreDamaged as error:
        raise StoreDamaged(
            fact("store.bad-backup", path=str(copy), quoted=quote(str(copy)))
        ) from error


def _renew(new: Path) -> int:
    """Bring the database up to date, give it another machine id, return its number of events."""
    with Store.open(new) as store:
        with store.writing() as connection:
            meta.renew_machine(connection)
        return store.count_events()
