"""Events of other logs: reading the log as it is stored, and taking in what it does not hold.

An event is known by its id. It keeps its machine and its number, so that every database that holds
the same events has them in the same order. Works inside a transaction of the caller.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from msgspec import json
from sqlalchemy import Column, Connection, func, insert, select

from quizapp.domain.log.erasing import find_tombstones
from quizapp.domain.log.events import Answered, Imported, LogEntry, Unvoided, Voided
from quizapp.domain.log.imports import Standing, find_runs
from quizapp.store import aliases, cards, log, meta
from quizapp.store.log import NewEvent
from quizapp.store.safety.salvage import EventRow
from quizapp.store.tables import event

T = TypeVar("T")

_IMPORT, _ANSWER = (str(kind.__struct_config__.tag) for kind in (Imported, Answered))
PORTION = 500
"""Events that one statement concerns; SQLite takes 32,766 values in one."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """An import that is to be logged: the id and the session of its event, and what to call it."""

    id: str
    session: str
    origin: str
    utc_ms: int


@dataclass(frozen=True, slots=True)
class Brought:
    """An import that was logged: what it is called, when it came, and how much it brought.

    `others`: every event that it did not bring.
    """

    entry: LogEntry
    answers: int
    events: int
    others: Standing

    @property
    def id(self) -> str:
        """The id of its event."""
        return self.entry.id

    @property
    def origin(self) -> str:
        """What it came from."""
        assert isinstance(self.entry.body, Imported)
        return self.entry.body.origin

    def covers(self, row: EventRow) -> bool:
        """Return True if it brought this event."""
        return row not in self.others


def read_latest(connection: Connection) -> Brought | None:
    """Read the latest import that stands and brought something; None if there is none."""
    gone = {entry.id for entry in log.withdrawn(connection)}
    standing = [e for e in log.of_no_question(connection, (Imported,)) if e.id not in gone]
    found = (_measure(connection, entry) for entry in reversed(standing))
    return next((each for each in found if each.events), None)


def read_withdrawn(connection: Connection) -> list[Brought]:
    """Read the imports that were undone, the one undone last first."""
    return [_measure(connection, entry) for entry in log.withdrawn(connection)]


def _measure(connection: Connection, entry: LogEntry) -> Brought:
    """Count what an import brought."""
    assert isinstance(entry.body, Imported)
    events, answers = _count_named(connection, entry.body)
    return Brought(entry, answers, events, Standing([entry.body]))


def _count_named(connection: Connection, body: Imported) -> tuple[int, int]:
    """Count the events, and the answers among them, that the log holds of those an import names."""
    kinds = list(_read_named(connection, body, event.c.kind))
    return len(kinds), kinds.count(_ANSWER)


def _read_named(connection: Connection, body: Imported, column: Column[Any]) -> Iterator[Any]:
    """Read a column of the events that an import names; one pass, however many runs these are."""
    named = Standing([body])
    for machine, runs in (body.taken or {}).items():
        if not runs:
            continue
        span = event.c.sequence.between(min(runs)[0], max(last for _, last in runs))
        query = select(event.c.sequence, column).where(event.c.machine == machine, span)
        for sequence, value in connection.execute(query):
            if named.names(machine, sequence):
                yield value


def names_others(
    connection: Connection, machine: str, row: EventRow, beside: Collection[tuple[str, int]] = ()
) -> bool:
    """Return True if an import of another log names events that this log has not from there.

    Whoever undid that import undid it there: here, it would hide what the person has on their own.
    `machine`: this database's. `beside`: (machine, number) of the events that came with it.
    """
    if row.kind != _IMPORT:
        return False
    body = json.decode(row.body, type=Imported)
    if not body.taken:
        return False
    named = Standing([body])
    came = sum(named.names(*each) for each in beside)
    return machine in body.taken or _count_named(connection, body)[0] > came


def read_rows(connection: Connection) -> Iterator[EventRow]:
    """Read every event as it is stored, in log order."""
    columns = [event.c[name] for name in EventRow._fields]
    ordered = select(*columns).order_by(event.c.at_ms, event.c.machine, event.c.sequence)
    for row in connection.execute(ordered):
        yield EventRow(*row)


def read_heads(connection: Connection) -> Iterator[EventRow]:
    """Read every event without its body, in no order."""
    columns = [event.c[name] for name in EventRow._fields[:-1]]
    return (EventRow._make((*row, "")) for row in connection.execute(select(*columns)))


def read_shared(connection: Connection) -> Iterator[EventRow]:
    """Read, without their bodies, the events that other machines may have.

    What an undone import brought is none of them, nor is what concerns this database alone.
    """
    standing, own = log.standing(connection), log.bookkeeping(connection)
    return (row for row in read_heads(connection) if row in standing and row.id not in own)


def find_known(connection: Connection, ids: Iterable[str]) -> set[str]:
    """Find the ids that the log holds."""
    known: set[str] = set()
    for portion in portions(ids):
        known.update(connection.scalars(select(event.c.id).where(event.c.id.in_(portion))))
    return known


def take_in(
    connection: Connection, machine: str, rows: Iterable[EventRow], arrival: Arrival
) -> int:
    """Add the events that the log does not hold, and what they change; return how many these were.

    What was erased here stays erased.

    If there are any, one `Imported` event follows, and undoing it undoes all of this.

    `machine`: the id that this database logs under. If another database logged under it, too, this
    one goes on under a new id. `rows`: in any order.
    """
    tombstones = find_tombstones(log.erases(connection))
    taken: list[tuple[str, int]] = []
    questions: set[str] = set()
    undoing: list[str] = []
    erased, shared_id = meta.erased_sequence(connection), False
    for portion in portions(rows):
        rest = [row for row in portion if not tombstones.cover(row)]
        unknown = _distinct(connection, rest)
        shared_id |= any(row.machine == machine and row.sequence > erased for row in unknown)
        settled = _settle(connection, unknown)
        fresh = [row for row in settled if not names_others(connection, machine, row, taken)]
        if not fresh:
            continue
        connection.execute(insert(event), [row._asdict() for row in fresh])
        taken.extend((row.machine, row.sequence) for row in fresh)
        questions.update(row.question for row in fresh if row.question is not None)
        undoing.extend(row.id for row in fresh if row.question is None)
    if not taken:
        return 0
    if shared_id:
        meta.renew_machine(connection)
    body = Imported(origin=arrival.origin, taken=find_runs(taken))
    logged = NewEvent(arrival.id, arrival.session, None, body, arrival.utc_ms)
    log.append(connection, meta.machine(connection), [logged])
    steps = log.by_id(connection, undoing).values()
    cards.reproject(
        connection, sorted(_current(connection, questions) | find_affected(connection, steps))
    )
    return len(taken)


def find_through(connection: Connection) -> dict[str, int]:
    """Find the last number of each machine, erased ones included."""
    last = select(event.c.machine, func.max(event.c.sequence)).group_by(event.c.machine)
    through = dict(find_tombstones(log.erases(connection)).through)
    for machine, sequence in connection.execute(last):
        through[machine] = max(sequence, through.get(machine, 0))
    return through


def find_affected(connection: Connection, logged: Iterable[LogEntry]) -> set[str]:
    """Find the questions, by current ids, that events change through imports they undo or redo."""
    targets = {e.body.target for e in logged if isinstance(e.body, Voided | Unvoided)}
    bodies = [found.body for found in log.by_id(connection, targets).values()]
    questions: set[str] = set()
    for body in bodies:
        if isinstance(body, Imported):
            questions.update(filter(None, _read_named(connection, body, event.c.question)))
    return _current(connection, questions)


def _current(connection: Connection, questions: Iterable[str]) -> set[str]:
    renamed = aliases.read_all(connection)
    return {renamed.get(name, name) for name in questions}


def _distinct(connection: Connection, rows: Sequence[EventRow]) -> list[EventRow]:
    """Return the events that the log does not hold, each once."""
    by_id = {row.id: row for row in reversed(rows)}
    known = find_known(connection, by_id)
    return [row for id_, row in reversed(by_id.items()) if id_ not in known]


def _settle(connection: Connection, rows: Sequence[EventRow]) -> list[EventRow]:
    """Give an event whose number its machine gave twice a machine of its own.

    Two copies of one database, both used, number their events alike.
    """
    numbers: dict[str, set[int]] = {}
    for row in rows:
        numbers.setdefault(row.machine, set()).add(row.sequence)
    held = {
        (machine, sequence)
        for machine, sequences in numbers.items()
        for sequence in connection.scalars(
            select(event.c.sequence).where(
                event.c.machine == machine, event.c.sequence.in_(sequences)
            )
        )
    }
    settled = []
    for row in rows:
        placed = row
        if (row.machine, row.sequence) in held:
            placed = row._replace(machine=_derive_machine(row))
        held.add((placed.machine, placed.sequence))
        settled.append(placed)
    return settled


def _derive_machine(row: EventRow) -> str:
    """Return the same id of a machine wherever this event meets another of its number."""
    return hashlib.sha256(f"{row.machine}/{row.id}".encode()).hexdigest()[:32]


def portions(items: Iterable[T]) -> Iterator[list[T]]:
    """Yield `PORTION` items at a time."""
    rest = iter(items)
    while portion := list(islice(rest, PORTION)):
        yield portion
