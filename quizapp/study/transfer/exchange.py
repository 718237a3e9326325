"""Progress as a file: all events as lines, answers as a table; and back, after a look at the file.

A file is read twice: first to say what an import would do, then within its transaction.
"""

from __future__ import annotations

import csv
import os
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import IO, TYPE_CHECKING

from grader.facts import fact
from quizapp import __version__
from quizapp.domain.days import as_date
from quizapp.domain.errors import BadImport
from quizapp.domain.log.erasing import find_tombstones
from quizapp.domain.log.events import Answered, LogEntry, Rerated
from quizapp.domain.log.projection import find_corrections, standing_events
from quizapp.domain.rating import Rule
from quizapp.store import event_lines, foreign
from quizapp.store.event_lines import (
    AheadEvent,
    BadLine,
    Header,
    ImplausibleLine,
    LaterEvent,
    NewerEvent,
    ReadEvent,
)
from quizapp.store.foreign import Arrival, Brought
from quizapp.store.safety.salvage import EventRow
from quizapp.system.files import name_unwritable
from quizapp.system.safe_text import as_cell, one_line, safe

if TYPE_CHECKING:
    from quizapp.store.store import Store

Progress = Callable[[int], None]
"""Gets the number of lines that are done."""

COLUMNS = (
    "time", "day", "question", "kind", "correct", "score", "rating", "rule", "confidence", "hints",
    "failures", "gave_up", "seconds", "due", "repeat", "practice", "language", "response",
    "next",
)  # fmt: skip
"""Of a table of answers."""


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What an import would do.

    Attributes:
        new: events that the log does not hold, `answers` of them answers.
        known: events that it holds.
        erased: events that `quiz erase` erased here, which stay erased.
        newer: events that only a newer program can read; they stay in the file.
        ahead: events that are dated after today; they stay in the file, too.
        returning: undone imports that brought events of the file; importing brings them back.
        withdrawn, withdrawn_answers: how many events of the file these are.
        machines: how many machines logged the events.
        first_ms, last_ms: when the first and the last event was logged; 0 without any.
    """

    new: int
    answers: int
    known: int
    erased: int
    newer: int
    machines: int
    first_ms: int
    last_ms: int
    ahead: int = 0
    returning: tuple[Brought, ...] = ()
    withdrawn: int = 0
    withdrawn_answers: int = 0


def write_log(store: Store, file: IO[bytes], progress: Progress) -> int:
    """Write the events as lines; return how many these are.

    Those that are set aside stay here: another machine would refuse the file because of them.
    """
    aside = store.set_aside()
    events = store.count_events() - len(aside)
    header = Header(
        event_lines.FORMAT, event_lines.VERSION, store.machine, f"quiz {__version__}", events
    )
    file.write(event_lines.write_header(header))
    for number, row in enumerate(store.stored_events()):
        if row.id not in aside:
            file.write(event_lines.write_event(row))
        progress(number)
    return events


def write_answers(
    store: Store, next_days: Mapping[str, int], file: IO[str], progress: Progress
) -> int:
    """Write all answers that were not undone as CSV, by question; return how many these are.

    A rating that the person corrected is there as corrected, with the due day that it chose. The
    latest answer to a question has the day from `next_days`, on which it is asked next.
    """
    table = csv.writer(file)
    table.writerow(COLUMNS)
    count = 0
    for question in sorted(store.cards()):
        events = store.events(question)
        rerated = find_corrections(events).rerated
        standing = ((entry, entry.body) for entry in standing_events(events))
        answers = [(entry, body) for entry, body in standing if isinstance(body, Answered)]
        for place, (entry, body) in enumerate(answers, 1):
            row = _row(entry, body, rerated.get(entry.id))
            next_day = next_days.get(question) if place == len(answers) else None
            table.writerow((*row, "" if next_day is None else as_date(next_day)))
            count += 1
            progress(count)
    return count


def _row(entry: LogEntry, body: Answered, corrected: Rerated | None) -> tuple[object, ...]:
    """Return the columns of an answer, but for the last."""
    rated, rule = (body, body.rule) if corrected is None else (corrected, Rule.PERSON)
    zone = timezone(timedelta(seconds=body.offset_s))
    return (
        datetime.fromtimestamp(body.utc_ms / 1000, UTC).astimezone(zone).isoformat("T", "seconds"),
        as_date(body.study_day),
        as_cell(one_line(entry.question or "")),
        as_cell(body.kind),
        int(body.correct),
        body.score,
        int(rated.rating),
        rule.value,
        "" if body.confidence is None else body.confidence,
        body.hints,
        body.failures,
        int(body.gave_up),
        body.duration_ms / 1000,
        as_date(rated.due_day),
        int(body.repeat),
        int(bool(body.practice)),
        as_cell(body.language or ""),
        as_cell(safe(body.response)),
    )


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Let a file be written beside `path`, and give it that name at the end.

    Raises EnvironmentProblem: it cannot be written; there is none.
    """
    with name_unwritable(path):
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.close(descriptor)
        beside = Path(name)
        try:
            yield beside
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)


def read_log(path: Path, now_ms: int) -> Iterator[ReadEvent | LaterEvent]:
    """Read the events of a file, at a time of the clock.

    Raises BadImport: it is not a log, has a line that is no event or is implausible, or has lost
    its end.
    """
    read, number = 0, 1
    with path.open("rb") as file:
        try:
            header = event_lines.read_header(_next_line(file))
            while line := _next_line(file):
                number += 1
                if line.strip():
                    yield event_lines.read_event(line, now_ms)
                    read += 1
        except ImplausibleLine as error:
            raise BadImport(
                fact("exchange.implausible", file=str(path), line=number, what=error.reason)
            ) from None
        except BadLine as error:
            raise BadImport(
                fact("exchange.bad-line", file=str(path), line=number, reason=error.reason)
            ) from None
    if header.events is not None and header.events != read:
        what = fact("exchange.incomplete", file=str(path), events=header.events, read=read)
        raise BadImport(what)


def _next_line(file: IO[bytes]) -> bytes:
    """Read a line without its end; an empty one inside the file is a line break alone.

    Raises BadLine: it is longer than any that quiz writes.
    """
    line = file.readline(event_lines.LONGEST_LINE)
    if len(line) == event_lines.LONGEST_LINE:
        raise BadLine(fact("exchange.long-line", limit=event_lines.LONGEST_LINE >> 20))
    return line[:-1] if line.endswith(b"\n") and len(line) > 1 else line


def plan_import(store: Store, path: Path, now_ms: int, progress: Progress) -> ImportPlan:
    """Read a file and find what importing it would do. Nothing is changed.

    Raises BadImport: it cannot be imported.
    """
    new = answers = known = erased = newer = ahead = gone = gone_answers = 0
    undone, returning = store.withdrawn_imports(), dict[str, Brought]()
    tombstones = find_tombstones(store.erases())
    machines: set[str] = set()
    times: list[int] = []
    has, wanted = set(store.parameters()), set[str]()
    for number, portion in enumerate(foreign.portions(read_log(path, now_ms))):
        progress(number * foreign.PORTION)
        events = [event for event in portion if isinstance(event, ReadEvent)]
        newer += sum(isinstance(event, NewerEvent) for event in portion)
        ahead += sum(isinstance(event, AheadEvent) for event in portion)
        held = store.find_known(event.row.id for event in events)
        known += len(held)
        for event in events:
            if event.row.id in held and (by := _withdrawer(undone, event.row)) is not None:
                returning[by.id] = by
                gone += 1
                gone_answers += isinstance(event.body, Answered)
        unknown = [event for event in events if event.row.id not in held]
        unknown = [event for event in unknown if not store.names_others(event.row)]
        fresh = [event for event in unknown if not tombstones.cover(event.row)]
        erased += len(unknown) - len(fresh)
        new += len(fresh)
        answers += sum(isinstance(event.body, Answered) for event in fresh)
        machines.update(event.row.machine for event in events)
        at_ms = [event.row.at_ms for event in events]
        times = [min(times + at_ms), max(times + at_ms)] if at_ms else times
        has |= event_lines.parameters_in(events)
        wanted |= event_lines.parameters_of(fresh)
    if wanted - has:
        lost = min(wanted - has)
        raise BadImport(fact("exchange.no-parameters", file=str(path), parameters=lost))
    first, last = times or (0, 0)
    counts = (new, answers, known, erased, newer, len(machines), first, last, ahead)
    return ImportPlan(*counts, tuple(returning.values()), gone, gone_answers)


def _withdrawer(undone: Iterable[Brought], row: EventRow) -> Brought | None:
    """Return the undone import that brought an event."""
    return next((brought for brought in undone if brought.covers(row)), None)


def import_log(store: Store, path: Path, now_ms: int, progress: Progress) -> int:
    """Take in the events of a file that the log does not hold; return how many these were.

    Raises BadImport, StoreError: nothing was changed.
    """
    arrival = Arrival(uuid.uuid4().hex, "import", path.name, now_ms)
    try:
        return store.take_in(_rows(path, now_ms, progress), arrival)
    except (ArithmeticError, LookupError, ValueError) as error:
        what = fact("exchange.contradictory", file=str(path), reason=type(error).__name__)
        raise BadImport(what) from error


def _rows(path: Path, now_ms: int, progress: Progress) -> Iterator[EventRow]:
    for number, event in enumerate(read_log(path, now_ms)):
        progress(number)
        if isinstance(event, ReadEvent):
            yield event.row
