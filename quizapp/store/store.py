"""The store as the application sees it: values in, values out, one short transaction per call.

Owns the lifetime of the database; what each call does is said in the modules it hands over to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, Self, TypeVar
from uuid import uuid4

from sqlalchemy import Connection

from grader.facts import Fact
from quizapp.domain.errors import StoreDamaged
from quizapp.domain.log.erasing import Tombstones
from quizapp.domain.log.events import (
    MOCK,
    Answered,
    Body,
    Erased,
    LogEntry,
    MockQueued,
    Optimized,
    PlacementProgress,
    PlacementTaken,
    PlanDropped,
    PlanSet,
    Probed,
    Unvoided,
    Voided,
)
from quizapp.domain.log.projection import Card, standing_events
from quizapp.domain.log.totals import Totals
from quizapp.domain.question import CodeLanguage
from quizapp.store import (
    aliases,
    answer_counts,
    aside,
    cards,
    drafts,
    foreign,
    log,
    meta,
    rebuilding,
    rollups,
    upkeep,
)
from quizapp.store.aside import Stray
from quizapp.store.engine import BUSY_TIMEOUT_MS, Database
from quizapp.store.foreign import Arrival
from quizapp.store.log import NewEvent
from quizapp.store.meta import DatabasePlace
from quizapp.store.migrate import Progress, migrate, migrate_in_memory
from quizapp.store.safety.backup import backup, folder, opened, quick_check
from quizapp.store.safety.memory_copy import read_into_memory
from quizapp.store.safety.rolling import roll
from quizapp.store.safety.salvage import EventRow
from quizapp.store.safety.shrinking import Witness, refuse_if_shorter, witness
from quizapp.store.translate import translate_errors

P = ParamSpec("P")
R = TypeVar("R")


def _reads(query: Callable[Concatenate[Connection, P], R]) -> Callable[Concatenate[Store, P], R]:
    """Make a method of what reads the database."""

    @wraps(query)
    def read(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with store.reading() as connection:
            return query(connection, *args, **kwargs)

    return read


def _yields(
    query: Callable[[Connection], Iterator[EventRow]],
) -> Callable[[Store], Iterator[EventRow]]:
    """Make a method of what reads the database as far as somebody wants to know."""

    @wraps(query)
    def read(store: Store) -> Iterator[EventRow]:
        with store.reading() as connection:
            yield from query(connection)

    return read


class Store:
    """Progress in one SQLite file. Every method may raise a `StoreError`, and then changed nothing.

    May be used from any thread, by one thread at a time. Questions may be given by a former id, and
    every event that is returned carries the id that its question has now.
    """

    def __init__(self, database: Database, machine: str, opened_at: int) -> None:
        self._database = database
        self._opened_at = opened_at
        self.machine = machine
        self.newly_aside = 0
        """How many implausible events were set aside as it was opened, for the first time."""

    @classmethod
    def open(
        cls, path: Path, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS, progress: Progress | None = None
    ) -> Self:
        """Open the database at `path`; created where absent, migrated (after a backup) where old.

        `progress`: told how far a migration is.

        Raises:
            StoreTooNew, StoreDamaged: the file is as it was.
            StoreLost: it holds less than its newest backup, and is as it was.
            StoreReadOnly, StoreLocked, StoreFull: it cannot be written, now.
        """
        path = path.absolute()
        with translate_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        database = Database(path, busy_timeout_ms)
        try:
            # Before the log is looked at: another program may write, and copy, in between.
            known = witness(path)
            migrate(database, progress)
            return cls._continue_log(database, known, meta.find_place(path))
        except BaseException:
            database.close()
            raise

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read the database at `path` as it is now into memory: the file is not written to.

        Raises:
            StoreError: it cannot be read.
            StoreLost: it holds less than its newest backup.
        """
        path = path.absolute()
        known = witness(path)
        database = Database(path, memory=read_into_memory(path))
        migrate_in_memory(database)
        return cls._continue_log(database, known)

    @classmethod
    def _continue_log(
        cls, database: Database, known: Witness | None, place: DatabasePlace | None = None
    ) -> Self:
        """Go on from the log's end, unless that is before the end that a backup `known` has.

        `place`: of the file, if it is one.
        """
        with database.writing() as connection:
            machine = meta.machine(connection)
            last = log.last_sequence(connection, machine)
            refuse_if_shorter(database.path, known, machine, last)
            if place is not None:
                meta.settle(connection, place)
                machine = meta.machine(connection)
                last = log.last_sequence(connection, machine)
            newly_aside = 0
            if not aside.is_noted(connection) and aside.note(connection):
                rebuilding.rebuild(connection, None, skips_damage=True)
                newly_aside = len(aside.read(connection))
        store = cls(database, machine, last)
        store.newly_aside = newly_aside
        return store

    @property
    def damage(self) -> StoreDamaged | None:
        """The damage that was found: nothing is written any more."""
        return self._database.damage

    @property
    def backups(self) -> Path:
        """The folder of the backups."""
        return folder(self._database.path)

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    # Queries, each in a transaction of its own; what they say is said where they are

    stored_events = _yields(foreign.read_rows)
    event_heads = _yields(foreign.read_heads)
    shared_events = _yields(foreign.read_shared)
    erases = _reads(log.erases)
    find_known = _reads(foreign.find_known)
    latest_import = _reads(foreign.read_latest)
    withdrawn_imports = _reads(foreign.read_withdrawn)
    parameters = _reads(log.parameters)
    count_events = _reads(log.size)
    latest_day = _reads(answer_counts.latest_day)
    dated_after = _reads(answer_counts.dated_after)
    answers_by_day = _reads(rollups.counted_per_day)
    totals_by_day = _reads(rollups.per_day)
    totals_by_question = _reads(rollups.per_question)
    rubric_totals = _reads(rollups.rubrics)
    check_totals = _reads(rollups.checks)
    answer_facts = _reads(answer_counts.facts)
    durations = _reads(answer_counts.durations)
    set_aside = _reads(aside.read)
    dump = _reads(cards.dump)

    def append(self, new: Sequence[NewEvent]) -> tuple[LogEntry, ...]:
        """Log the events and derive what they change, in one transaction that is on disk at return.

        An event already in the log is left as it is, so a call that failed can simply be repeated.

        Returns:
            The events as logged, in the order given.

        Raises StoreError: an event without a question, or an answer under parameters not in the
        log.
        """
        with self._database.writing() as connection:
            log.append(connection, self.machine, new)
            logged = log.by_id(connection, [event.id for event in new])
            touched = {e.question for e in logged.values() if e.question is not None}
            touched |= foreign.find_affected(
                connection, [e for e in logged.values() if e.question is None]
            )
            cards.reproject(connection, sorted(touched))
        return tuple(logged[event.id] for event in new)

    def names_others(self, row: EventRow) -> bool:
        """Return True if this is an import of another log that names events of this one."""
        with self.reading() as connection:
            return foreign.names_others(connection, self.machine, row)

    def take_in(self, rows: Iterable[EventRow], arrival: Arrival) -> int:
        """Log the events of other logs that this one does not hold; return how many these were.

        One transaction, and one step for undo. What `rows` raises leaves the log as it was.
        """
        with self._database.writing() as connection:
            count = foreign.take_in(connection, self.machine, rows, arrival)
            self.machine = meta.machine(connection)
        return count

    def reading(self) -> AbstractContextManager[Connection]:
        """Open a connection that sees one consistent state. Raises StoreError: there is none."""
        return self._database.reading()

    def writing(self) -> AbstractContextManager[Connection]:
        """Begin a transaction that writes; refused once damage was found.

        Raises StoreError: nothing was written.
        """
        return self._database.writing()

    def card(self, question: str) -> Card | None:
        """Return what the log says about a question; None while it says nothing."""
        with self.reading() as connection:
            return cards.read_card(connection, aliases.current(connection, question))

    def cards(self) -> dict[str, Card]:
        """Read all cards by question; a question without events has none."""
        with self.reading() as connection:
            return cards.read_all(connection)

    def events(self, question: str) -> list[LogEntry]:
        """Read the question's history in log order, including that under former ids."""
        with self.reading() as connection:
            name = aliases.current(connection, question)
            return log.of_questions(connection, [name])[name]

    def event(self, id_: str) -> LogEntry | None:
        """Read the event with this id."""
        with self.reading() as connection:
            return log.by_id(connection, [id_]).get(id_)

    def recent_undo_events(
        self, session: str, session_began_ms: int, limit: int = 400
    ) -> list[LogEntry]:
        """Read what `undo_target` and `redo_target` decide on: the latest events in log order.

        Only of `session`, or from before it began (UTC milliseconds) or this store was opened: two
        running programs do not undo each other's answers.
        """
        before = (session_began_ms, self._opened_at)
        with self.reading() as connection:
            return log.recent_undo_events(
                connection, self.machine, session, before=before, limit=limit
            )

    def recently_submitted(self) -> list[str]:
        """Find questions with a `Submitted` among this machine's latest events, latest last."""
        with self.reading() as connection:
            return log.recently_submitted(connection, self.machine)

    def placement_so_far(self) -> PlacementProgress | None:
        """Read what the latest placement has asked; None if it was taken to its end."""
        with self.reading() as connection:
            found = log.of_no_question(connection, (PlacementProgress, PlacementTaken))
        latest = found[-1].body if found else None
        return latest if isinstance(latest, PlacementProgress) else None

    def mock_events(self) -> list[LogEntry]:
        """Read all of mock interviews that was not undone, in log order."""
        told = (*MOCK, MockQueued, Probed)
        with self.reading() as connection:
            found = log.of_no_question(connection, (*told, Voided, Unvoided))
        return [e for e in standing_events(found) if isinstance(e.body, told)]

    def plan(self) -> PlanSet | None:
        """Read the plan that holds; None if there is none."""
        latest = self._latest(PlanSet, PlanDropped)
        return latest.body if latest is not None and isinstance(latest.body, PlanSet) else None

    def placement_taken(self) -> PlacementTaken | None:
        """Read the latest placement that was taken; None if there is none."""
        latest = self._latest(PlacementTaken)
        return latest.body if latest and isinstance(latest.body, PlacementTaken) else None

    def weights(self) -> tuple[float, ...]:
        """Read the weights that were fitted to the person; empty if they have the library's."""
        latest = self.latest_fit()
        return latest.body.weights if latest and isinstance(latest.body, Optimized) else ()

    def latest_fit(self) -> LogEntry | None:
        """Read the event whose weights hold; None if none was ever adopted, or each undone."""
        return self._latest(Optimized)

    def _latest(self, *kinds: type[Body]) -> LogEntry | None:
        """Read the latest event of some kinds that was not undone."""
        with self.reading() as connection:
            found = log.of_no_question(connection, (*kinds, Voided, Unvoided))
        kept = [event for event in standing_events(found) if isinstance(event.body, kinds)]
        return kept[-1] if kept else None

    def log_stamp(self) -> tuple[int, str | None, tuple[str, ...]]:
        """Return what differs whenever anything in the log does, or in what of it counts."""
        with self.reading() as connection:
            return *log.stamp(connection), tuple(sorted(aside.read(connection)))

    def answers_around(self, day: int) -> tuple[Answered | None, Answered | None]:
        """Read the last answer of the study day before this one, and the first of the day after."""
        with self.reading() as connection:
            ids = answer_counts.around(connection, day)
            found = log.by_id(connection, [each for each in ids if each is not None])
        bodies = [found[each].body if each is not None else None for each in ids]
        before, after = (body if isinstance(body, Answered) else None for body in bodies)
        return before, after

    def totals_of_day(self, day: int) -> Totals:
        """Return what was done on a study day; zeros if nothing."""
        return self.totals_by_day(day, day).get(day, Totals())

    def changed_elsewhere(self) -> bool:
        """Return True if another program wrote since this was asked last; False the first time."""
        return self._database.changed_elsewhere()

    def latest_answers(self) -> dict[str, Answered]:
        """Read the latest answer to each question that has one, practice left out."""
        with self.reading() as connection:
            found = log.by_id(connection, answer_counts.latest(connection)).values()
        bodies = ((entry.question, entry.body) for entry in found)
        return {q: body for q, body in bodies if q and isinstance(body, Answered)}

    def adopt(self, renames: Mapping[str, str]) -> None:
        """Make these (former id → id) all the renames there are; cheap when they already are."""
        wanted = aliases.resolve(renames)
        with self.reading() as connection:
            if aliases.read_all(connection) == wanted:
                return
        with self._database.writing() as connection:
            changed = aliases.replace(connection, wanted)
            if log.size(connection):  # 80 ms of a first start, which has nothing to derive
                cards.reproject(connection, sorted(changed))

    def save_draft(
        self, question: str, text: str, utc_ms: int, language: CodeLanguage = "python"
    ) -> None:
        """Keep a half-written answer, on disk at return."""
        with self._database.writing() as connection:
            drafts.save(connection, aliases.current(connection, question), text, utc_ms, language)

    def draft(self, question: str, language: CodeLanguage = "python") -> str | None:
        """Return the half-written answer to a question in a language."""
        with self.reading() as connection:
            now = aliases.current(connection, question)
            return drafts.read_draft(connection, now, language)

    def draft_language(self, question: str) -> CodeLanguage | None:
        """Return the language of the latest half-written answer; None without one."""
        with self.reading() as connection:
            return drafts.find_language(connection, aliases.current(connection, question))

    def drop_drafts(self, question: str, languages: Iterable[CodeLanguage]) -> None:
        """Forget the half-written answers to a question in these languages."""
        with self._database.writing() as connection:
            now = aliases.current(connection, question)
            for language in languages:
                drafts.drop(connection, now, language)

    def drafts(self) -> dict[str, str]:
        """Read all half-written answers by question."""
        with self.reading() as connection:
            return drafts.read_all(connection)

    def rebuild(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Derive all caches from the log again; `progress` gets (events done, of how many)."""
        with self._database.writing(checks_references_last=True) as connection:
            aside.note(connection)
            rebuilding.rebuild(connection, progress)

    def implausible(self) -> tuple[list[Stray], list[Stray]]:
        """Find the implausible events of the log: those set aside, and those that are not yet."""
        with self.reading() as connection:
            noted, found = aside.read(connection), list(aside.find(connection))
        known = [stray for stray in found if stray.id in noted]
        return known, [stray for stray in found if stray.id not in noted]

    def backup(self, reason: str) -> Path:
        """Copy the database into `backups/` beside it; `reason` ends the copy's name."""
        path = self._database.path
        with translate_errors(path, writes=folder(path)):
            return backup(path, reason)

    def roll(self) -> Path | None:
        """Make today's rolling copy, if one is due; see `rolling`. For any thread, at any time.

        Raises:
            StoreFull, StoreReadOnly: there is no copy of today.
            StoreDamaged: a page is not sound; from now on nothing is written.
        """
        try:
            return roll(self._database.path)
        except StoreDamaged as error:
            self._database.damage = error
            raise

    def check_pages(self) -> None:
        """Check that every page is sound. For any thread, at any time.

        Raises StoreDamaged: one is not; from now on nothing is written.
        """
        path = self._database.path
        try:
            with translate_errors(path), opened(path) as connection:
                quick_check(connection)
        except StoreDamaged as error:
            self._database.damage = error
            raise

    def checkpoint(self) -> None:
        """Bring the main file up to date, so that it does not depend on the write-ahead log.

        Raises StoreError: it was not possible now; nothing is lost.
        """
        self._database.checkpoint()

    def erase(self, now_ms: int) -> Path:
        """Back up, then forget everything but the machine's id; return the backup.

        An `Erased` event stays, by which other machines forget it, too.
        """
        path = self._database.path
        with self._database.writing() as connection:
            copy = backup(path, "before-erase")
            body = Erased(through=foreign.find_through(connection))
            upkeep.empty(connection, self.machine)
            if body.through:
                tombstone = NewEvent(uuid4().hex, "erase", None, body, now_ms)
                log.append(connection, self.machine, [tombstone])
        with translate_errors(path):
            upkeep.compact(path)
        return copy

    def forget(self, tombstones: Tombstones) -> Path:
        """Back up, then forget what another machine erased; return the backup."""
        path = self._database.path
        with self._database.writing() as connection:
            copy = backup(path, "before-erase")
            heads = foreign.read_heads(connection)
            ids = [row.id for row in heads if tombstones.cover(row)]
            upkeep.forget(connection, self.machine, ids)
        with translate_errors(path):
            upkeep.compact(path)
        return copy

    def check(self) -> list[Fact]:
        """Return what is wrong with the file, mostly in SQLite's words. Reads all of it."""
        try:
            with self.reading() as connection:
                return upkeep.problems(connection)
        except StoreDamaged as error:
            return [error.what]
