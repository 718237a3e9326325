"""The event log: appending to it and reading it in order. Nothing here changes or removes an event.

Every function works inside a transaction that its caller has begun.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from msgspec import DecodeError
from sqlalchemy import Connection, Row, Select, func, insert, or_, select, type_coerce

from grader.facts import fact
from quizapp.domain.errors import StoreDamaged, StoreError
from quizapp.domain.log.answer_fields import AnswerFields
from quizapp.domain.log.event_bounds import find_implausible
from quizapp.domain.log.events import (
    OF_NO_QUESTION,
    UNDOABLE,
    Answered,
    Body,
    Erased,
    Imported,
    LogEntry,
    ParametersSet,
    Placed,
    Rerated,
    Submitted,
    Unvoided,
    Voided,
)
from quizapp.domain.log.imports import Standing, find_standing, find_withdrawn
from quizapp.domain.schedule import Parameters
from quizapp.store import aliases, aside, meta, packing
from quizapp.store.columns import Packed
from quizapp.store.engine import raw
from quizapp.store.packing import unpack_body, unpack_id, unpack_shared_id
from quizapp.store.tables import alias, event


@dataclass(frozen=True, slots=True)
class NewEvent:
    """What the caller wants appended.

    `id`: a fresh UUID in hex, made by the caller so that the same call can be tried again.
    `question`: whose state the body changes; an undo's is that of the event it undoes. None only
    for `OF_NO_QUESTION`, and for an undo of these. `utc_ms`: what the clock says, UTC milliseconds.
    """

    id: str
    session: str
    question: str | None
    body: Body
    utc_ms: int


def _tag(body: type[Body]) -> str:
    return str(body.__struct_config__.tag)


_UNDO_KINDS = [_tag(body) for body in (*UNDOABLE, Voided, Unvoided)]
_PARAMETERS = _tag(ParametersSet)
_UNDOING = [_tag(Voided), _tag(Unvoided)]
_CORRECTING = [*_UNDOING, _tag(Rerated)]

_body = type_coerce(event.c.body, Packed)
_events: Select[Any] = select(
    event.c.id,
    event.c.at_ms,
    event.c.machine,
    event.c.sequence,
    event.c.session,
    aliases.map_to_current(event.c.question),
    _body,
).select_from(event.outerjoin(alias, alias.c.old == event.c.question))
_order = (event.c.at_ms, event.c.machine, event.c.sequence)


def append(connection: Connection, machine: str, drafts: Iterable[NewEvent]) -> None:
    """Write the events that are not in the log yet, in order.

    `at_ms` never falls below the log's latest, so a clock set back cannot reorder events.

    Raises StoreError: an event without a question, under parameters that the log does not hold, or
    with a value out of its bounds.
    """
    wanted = {draft.id: draft for draft in drafts}
    have = set(connection.scalars(select(event.c.id).where(event.c.id.in_(wanted))))
    fresh = [draft for draft in wanted.values() if draft.id not in have]
    if not fresh:
        return
    _check(connection, fresh)
    filed = _find_files(connection, fresh)
    at_ms = connection.scalar(select(func.max(event.c.at_ms))) or 0
    sequence = last_sequence(connection, machine)
    rows = []
    for number, draft in enumerate(fresh, sequence + 1):
        at_ms = max(at_ms, draft.utc_ms)
        rows.append(
            {
                "id": draft.id,
                "at_ms": at_ms,
                "machine": machine,
                "sequence": number,
                "session": draft.session,
                "question": filed.get(_target(draft.body), draft.question),
                "kind": _tag(type(draft.body)),
                "body": draft.body,
            }
        )
    connection.execute(insert(event), rows)


def _target(body: Body) -> str | None:
    return body.target if isinstance(body, Rerated | Voided | Unvoided) else None


def _find_files(connection: Connection, fresh: Sequence[NewEvent]) -> dict[str | None, str | None]:
    """Return the ids, as written, that targets are filed under.

    What is said about an event is filed with it, so that no later rename can part the two.
    """
    targets = {_target(draft.body) for draft in fresh} - {None}
    query = select(event.c.id, event.c.question).where(event.c.id.in_(targets))
    filed: dict[str | None, str | None] = {draft.id: draft.question for draft in fresh}
    filed.update(connection.execute(query).all())
    return filed


def _check(connection: Connection, fresh: Sequence[NewEvent]) -> None:
    """Refuse what a replay could not interpret, before it is in the log."""
    known = parameters(connection).keys() | {
        draft.body.parameters.id for draft in fresh if isinstance(draft.body, ParametersSet)
    }
    for draft in fresh:
        without = isinstance(draft.body, (*OF_NO_QUESTION, Voided, Unvoided))
        if draft.question is None and not without:
            raise StoreError(fact("store.no-question", id=draft.id, kind=_tag(type(draft.body))))
        if isinstance(draft.body, Answered | Placed) and draft.body.parameters_id not in known:
            lost = draft.body.parameters_id
            raise StoreError(fact("store.unknown-parameters", id=draft.id, parameters=lost))
        if (stray := find_implausible(draft.body)) is not None:
            raise StoreError(fact("store.implausible", reason=stray.text))


def last_sequence(connection: Connection, machine: str) -> int:
    """Return the greatest sequence number `machine` gave in this database, also before an erase."""
    highest = select(func.max(event.c.sequence)).where(event.c.machine == machine)
    return max(connection.scalar(highest) or 0, meta.erased_sequence(connection))


def by_id(connection: Connection, ids: Iterable[str]) -> dict[str, LogEntry]:
    """Read the events that exist, of these ids."""
    rows = connection.execute(_events.where(event.c.id.in_(list(ids))))
    return {found.id: found for found in map(_event, rows)}


def of_questions(
    connection: Connection, questions: Sequence[str], stands: Standing | None = None
) -> dict[str, list[LogEntry]]:
    """Read events of current ids, in log order; a former id has none of its own.

    What does not stand is left out. `stands`: from `standing`, for whoever reads many.
    """
    query = _events.where(
        or_(event.c.question.in_(questions), event.c.question.in_(aliases.former(questions))),
        aliases.map_to_current(event.c.question).in_(questions),
    )
    stands = standing(connection) if stands is None else stands
    found: dict[str, list[LogEntry]] = {question: [] for question in questions}
    for entry in map(_event, connection.execute(query.order_by(*_order))):
        if entry in stands:
            found[str(entry.question)].append(entry)
    return found


def standing(connection: Connection) -> Standing:
    """Find which events stand: not what undone imports brought, nor what is implausible.

    Cheap while there is neither.
    """
    return find_standing(*_find_steps(connection))


def withdrawn(connection: Connection) -> list[LogEntry]:
    """Find the imports that are undone, the one undone last first."""
    return find_withdrawn(*_find_steps(connection))


def _find_steps(
    connection: Connection,
) -> tuple[list[LogEntry], dict[str, LogEntry], frozenset[str]]:
    """Read what imports stand by: undos and redos, what they name, and what is set aside."""
    undoing = _events.where(event.c.question.is_(None), event.c.kind.in_(_UNDOING))
    steps = [_event(row) for row in connection.execute(undoing.order_by(*_order))]
    targets = by_id(connection, {str(_target(step.body)) for step in steps}) if steps else {}
    return steps, targets, aside.read(connection)


def recent_undo_events(
    connection: Connection, machine: str, session: str, *, before: tuple[int, int], limit: int
) -> list[LogEntry]:
    """Read the latest `limit` events that undo and redo look at, in log order.

    `session`: all of its events. `before`: (`at_ms`, `sequence`): other sessions' events from
    before this time, or up to this sequence number. The number finds them also when the clock was
    set back since.
    """
    at_ms, sequence = before
    query = (
        _events.where(
            event.c.machine == machine,
            event.c.kind.in_(_UNDO_KINDS),
            or_(event.c.session == session, event.c.at_ms < at_ms, event.c.sequence <= sequence),
        )
        # Within one machine this is log order, and an index has it.
        .order_by(event.c.sequence.desc())
        .limit(limit)
    )
    return [_event(row) for row in connection.execute(query)][::-1]


def recently_submitted(connection: Connection, machine: str, limit: int = 400) -> list[str]:
    """Find questions with a `Submitted` among the machine's latest events, latest last.

    A program that ended in the middle of one is not far back; a longer look would cost every start.
    """
    since = last_sequence(connection, machine) - limit
    query = (
        _events.with_only_columns(aliases.map_to_current(event.c.question))
        .where(
            event.c.machine == machine, event.c.sequence > since, event.c.kind == _tag(Submitted)
        )
        .order_by(event.c.sequence)
    )
    names: list[str] = list(connection.scalars(query))
    return list(dict.fromkeys(names[::-1]))[::-1]


def of_no_question(connection: Connection, kinds: Sequence[type[Body]]) -> list[LogEntry]:
    """Read the events of these kinds that are filed under no question, in log order.

    Undone ones are among them; ask for `Voided` and `Unvoided`, too, to tell them from the others.
    What does not stand is left out.
    """
    query = _events.where(
        event.c.question.is_(None), event.c.kind.in_([_tag(kind) for kind in kinds])
    )
    stands = standing(connection)
    found = [_event(row) for row in connection.execute(query.order_by(*_order))]
    return [entry for entry in found if entry in stands]


def erases(connection: Connection) -> list[LogEntry]:
    """Read the erases that the log knows of, and what undid them, in log order."""
    return of_no_question(connection, (Erased, Voided, Unvoided))


def bookkeeping(connection: Connection) -> set[str]:
    """Find the events that concern this database alone: imports, and what undid them."""
    imports = set(connection.scalars(select(event.c.id).where(event.c.kind == _tag(Imported))))
    steps = of_no_question(connection, (Voided, Unvoided)) if imports else []
    return imports | {step.id for step in steps if _target(step.body) in imports}


def corrections(connection: Connection) -> Iterator[LogEntry]:
    """Read what events of questions say of others of them, in log order.

    What cannot be read is left out: a replay of everything finds it in `stored`.
    """
    query = _events.where(event.c.question.is_not(None), event.c.kind.in_(_CORRECTING))
    for row in connection.execute(query.order_by(*_order)):
        with suppress(StoreDamaged):
            yield _event(row)


def parameters(connection: Connection) -> dict[str, Parameters]:
    """Read all scheduler parameters in the log, by their id.

    Implausible ones have the default values: the answers under them are scheduled all the same.
    """
    query = select(event.c.id, _body).where(event.c.question.is_(None), event.c.kind == _PARAMETERS)
    implausible = aside.read(connection)
    found = [(id_, _decode(id_, cell)) for id_, cell in connection.execute(query)]
    return {
        body.parameters.id: Parameters() if id_ in implausible else body.parameters
        for id_, body in found
        if isinstance(body, ParametersSet)
    }


StoredEvent = tuple[int, bytes | str, int, bytes | str, int, bytes | str, str, bytes | str]
"""An event of a question as it is on disk: the row's number, then what `LogEntry` has."""


def stored(connection: Connection) -> Iterator[Sequence[StoredEvent]]:
    """Read the events of all questions in log order, as they are on disk, many at a time.

    Through the driver, which takes half the time; for a replay of everything. An index has the
    order by time. The rest of the order is made here, for those of one time alone: SQLite would
    copy every event for that, which takes half as long again.
    """
    found = raw(connection).execute(_STORED)
    events: list[StoredEvent] = []
    while more := found.fetchmany(_BATCH):
        events += more
        latest = events[-1][_AT]
        if latest == events[0][_AT]:
            continue
        # What is to be read next may belong before some of the latest time.
        held = len(events) - 1
        while events[held - 1][_AT] == latest:
            held -= 1
        yield _in_order(events[:held])
        events = events[held:]
    if events:
        yield _in_order(events)


_BATCH = 1_000
_AT, _MACHINE, _SEQUENCE = 2, 3, 4
_STORED = """
    SELECT row, id, at_ms, machine, sequence, session, question, body FROM event
    WHERE question IS NOT NULL ORDER BY at_ms
"""


def _in_order(events: list[StoredEvent]) -> list[StoredEvent]:
    """Return events that are in the order of time in log order, as SQLite has it."""
    if len({found[_AT] for found in events}) == len(events):
        return events
    return [
        found
        for _, together in groupby(events, itemgetter(_AT))
        for found in sorted(together, key=_place)
    ]


_RANKS: dict[type, int] = {int: 1, float: 1, str: 2, bytes: 3}
"""SQLite's order of values of several types; a damaged file may have any of them anywhere."""


def _place(found: StoredEvent) -> tuple[Any, ...]:
    machine, sequence = found[_MACHINE], found[_SEQUENCE]
    return _RANKS.get(type(machine), 0), machine, _RANKS.get(type(sequence), 0), sequence


def read_stored(found: StoredEvent, question: str) -> LogEntry:
    """Return what is stored as an event of `question`, the current id.

    Raises StoreDamaged: it cannot be read.
    """
    _, id_, at_ms, machine, sequence, session, _, body = found
    text, owner, began = unpack_id(id_), unpack_shared_id(machine), unpack_shared_id(session)
    return LogEntry(text, at_ms, owner, sequence, began, question, _decode(text, body))


def read_answer(found: StoredEvent) -> AnswerFields | None:
    """Return what a replay reads of an answer in packed form; None for anything else.

    Raises StoreDamaged: it cannot be read.
    """
    body = found[-1]
    if isinstance(body, str):
        return None
    try:
        return packing.read_answer(body)
    except DecodeError as error:
        raise _damaged(unpack_id(found[1]), error) from error


def size(connection: Connection) -> int:
    """Count the events of the log."""
    return connection.scalar(select(func.count()).select_from(event)) or 0


def stamp(connection: Connection) -> tuple[int, str | None]:
    """Return how many events there are, and which was written last; no two logs share both."""
    latest = select(event.c.id).order_by(event.c.row.desc()).limit(1)
    return size(connection), connection.scalar(latest)


def _event(row: Row[*tuple[Any, ...]]) -> LogEntry:
    id_, at_ms, machine, sequence, session, question, body = row
    return LogEntry(id_, at_ms, machine, sequence, session, question, _decode(id_, body))


def _decode(id_: str, body: bytes | str) -> Body:
    try:
        return unpack_body(body)
    except DecodeError as error:
        raise _damaged(id_, error) from error


def _damaged(id_: str, error: DecodeError) -> StoreDamaged:
    return StoreDamaged(fact("store.bad-event", id=id_, message=str(error)))
