"""Rescues what can be read of a damaged database: the events of its log, and half-written answers.

Every other table derives from the log, so these are all there is to lose.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, insert

from quizapp.domain.bounds import is_id
from quizapp.domain.log.event_bounds import LATEST_MS
from quizapp.domain.log.events import Answered, Body, ParametersSet
from quizapp.domain.schedule import Parameters
from quizapp.store import tables
from quizapp.store.packing import unpack_id, unpack_text
from quizapp.store.safety.pages import Cell, Record, read_image

_decoder: msgspec.json.Decoder[Body] = msgspec.json.Decoder(Body)


class EventRow(NamedTuple):
    """An event as the table `event` has it, all of it as text and numbers."""

    id: str
    at_ms: int
    machine: str
    sequence: int
    session: str
    question: str | None
    kind: str
    body: str


_TEXT = len(EventRow._fields)
"""Columns of the log before version 0005, which put a number before them."""
_PACKED = _TEXT + 1


class DraftRow(NamedTuple):
    """A row of the table `draft`."""

    question: str
    text: str
    updated_ms: int


@dataclass(frozen=True, slots=True)
class RescuedRows:
    """What was found.

    `unreadable`: rows of the log that were there and could not be read. `parameters`: those that
    answers refer to, but that the log no longer holds. `rescheduled`: answers whose parameters are
    lost; they count under the default ones.
    """

    events: tuple[EventRow, ...]
    drafts: tuple[DraftRow, ...]
    unreadable: int
    parameters: tuple[Parameters, ...] = ()
    rescheduled: int = 0


def rescue(path: Path) -> RescuedRows:
    """Read every event and draft of the database at `path` that is left, however damaged it is.

    Raises OSError: the file cannot be read.
    """
    image = read_image(path)
    rows = list(image.rows())
    # An event never changes, so an earlier version of its page is as good as the present one.
    logged = [row for row in (*rows, *image.earlier_rows()) if len(row) in (_TEXT, _PACKED)]
    events = _distinct(found for row in logged if (found := _event(row)))
    known = {found.id for found in events}
    unreadable = {_id_of(row) for row in logged if _event(row) is None} - known
    drafts = {
        draft.question: draft
        for row in rows
        if len(row) == len(DraftRow._fields) and (draft := _draft(row)) is not None
    }
    return _schedulable(RescuedRows(events, tuple(drafts.values()), len(unreadable)))


def write(connection: Connection, rescued: RescuedRows) -> None:
    """Put what was rescued into an empty database, inside a transaction of the caller."""
    if rescued.events:
        connection.execute(insert(tables.event), [row._asdict() for row in rescued.events])
    if rescued.drafts:
        connection.execute(insert(tables.draft), [row._asdict() for row in rescued.drafts])


def _distinct(found: Iterable[EventRow]) -> tuple[EventRow, ...]:
    """Return each event once, in the order of the log."""
    by_id: dict[str, EventRow] = {}
    numbered: set[tuple[str, int]] = set()
    for row in found:
        if row.id not in by_id and (row.machine, row.sequence) not in numbered:
            by_id[row.id] = row
            numbered.add((row.machine, row.sequence))
    return tuple(sorted(by_id.values(), key=lambda row: (row.at_ms, row.machine, row.sequence)))


def _event(row: Record) -> EventRow | None:
    """Turn a row into an event, unless something in it is not what an event has."""
    try:
        found = msgspec.convert(_as_text(row), EventRow)
        body = _decoder.decode(found.body)
    except (msgspec.ValidationError, msgspec.DecodeError):
        return None
    sound = (
        0 < found.at_ms < LATEST_MS
        and found.sequence > 0
        and is_id(found.id)
        and is_id(found.machine)
        and body.__struct_config__.tag == found.kind
    )
    return found if sound else None


def _as_text(row: Record) -> Record:
    """Return an event's row as versions before 0005 wrote it.

    Raises msgspec.DecodeError: its body cannot be read.
    """
    if len(row) == _TEXT:
        return row
    _, _, at_ms, machine, sequence, session, question, kind, body = row
    if not isinstance(body, bytes | str):
        raise msgspec.ValidationError
    head = (_id_of(row), at_ms, _text(machine), sequence, _text(session), question, kind)
    return (*head, unpack_text(body))


def _id_of(row: Record) -> Cell:
    return row[0] if len(row) == _TEXT else _text(row[1])


def _text(cell: Cell) -> Cell:
    return unpack_id(cell) if isinstance(cell, bytes) else cell


def _draft(row: Record) -> DraftRow | None:
    try:
        return msgspec.convert(row, DraftRow)
    except msgspec.ValidationError:
        return None


def _schedulable(rescued: RescuedRows) -> RescuedRows:
    """Add scheduler parameters for every answer that lacks them."""
    bodies = {row.id: _decoder.decode(row.body) for row in rescued.events}
    known = {b.parameters.id for b in bodies.values() if isinstance(b, ParametersSet)}
    wanted = {b.parameters_id for b in bodies.values() if isinstance(b, Answered)} - known
    guessed = {parameters.id: parameters for parameters in _LIKELY if parameters.id in wanted}
    lost = wanted - guessed.keys()
    if not lost:
        return replace(rescued, parameters=tuple(guessed.values()))
    default = Parameters()
    if default.id not in known:
        guessed[default.id] = default
    events = []
    for row in rescued.events:
        body = bodies[row.id]
        if isinstance(body, Answered) and body.parameters_id in lost:
            changed = msgspec.structs.replace(body, parameters_id=default.id)
            events.append(row._replace(body=msgspec.json.encode(changed).decode()))
        else:
            events.append(row)
    count = sum(isinstance(b, Answered) and b.parameters_id in lost for b in bodies.values())
    return replace(rescued, events=tuple(events), parameters=tuple(guessed.values()),
                   rescheduled=count)  # fmt: skip


_LIKELY = tuple(Parameters(retention=percent / 100) for percent in range(70, 98))
"""Parameters are named by their content, so these can be recognized: every whole percentage."""
