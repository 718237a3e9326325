"""A log as text: one event per line, as JSON in ASCII, below a line that names the format.

`docs/exchange.md` describes it. Knows no file and no table. What another program wrote is believed
only where it is plausible: numbers are within bounds, and the scheduler takes its parameters.
"""

from __future__ import annotations

import json as plain_json
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

import msgspec
from msgspec import Raw, Struct, json

from grader.facts import Fact, fact
from quizapp.domain.events import (
    OF_NO_QUESTION,
    Answered,
    Body,
    Erased,
    LogEntry,
    ParametersSet,
    Placed,
    Unvoided,
    Voided,
)
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import review
from quizapp.store.salvage import LATEST_MS, EventRow, is_id

FORMAT = "quiz-events"
VERSION = 1
LONGEST_LINE = 16 * 1024 * 1024
"""Bytes; the longest event that quiz writes is a submission of some kilobytes."""

_CHECK = b',"check":"'
_ENDING = re.compile(rb',"check":"([0-9a-f]{8})"}\Z')
_MOST = 1 << 53
"""Integers below this are the same in every program that reads JSON."""
_LATEST_DAY = 200_000
"""The study day of the year 2517."""
_LONGEST_NAME = 300
_DAYS = ("study_day", "due_day", "until")


class Header(Struct, frozen=True):
    """The first line: which format, whose log, how many events.

    `events` is None where a file grows, as those of `quiz sync` do.
    """

    format: str
    version: int
    machine: str = ""
    program: str = ""
    events: int | None = None


class _Line(Struct, frozen=True):
    id: str
    at_ms: int
    machine: str
    sequence: int
    session: str
    body: Raw
    question: str | None = None


class _Tagged(Struct, frozen=True):
    type: str


@dataclass(frozen=True, slots=True)
class ReadEvent:
    """An event of a line, as it would be stored, and what it means."""

    row: EventRow
    body: Body

    @property
    def entry(self) -> LogEntry:
        """The event as an entry of a log."""
        id_, at_ms, machine, sequence, session, question, *_ = self.row
        return LogEntry(id_, at_ms, machine, sequence, session, question, self.body)


@dataclass(frozen=True, slots=True)
class NewerEvent:
    """An event that a newer program wrote: `kind` is new, or has a field that is."""

    kind: str


class BadLine(Exception):
    """A line that is not an event; `reason` says why."""

    def __init__(self, reason: Fact) -> None:
        self.reason = reason
        super().__init__(reason)


class NewerFormat(BadLine):
    """The first line of a file in a format that only a newer program can read."""


_lines: json.Decoder[_Line] = json.Decoder(_Line)
_tags: json.Decoder[_Tagged] = json.Decoder(_Tagged)
_bodies: json.Decoder[Body] = json.Decoder(Body)
_headers: json.Decoder[Header] = json.Decoder(Header)
_fields: dict[str, frozenset[str]] = {
    str(body.__struct_config__.tag): frozenset((*body.__struct_fields__, "type"))
    for body in Body.__args__
}


def write_header(header: Header) -> bytes:
    """Write the first line, with its end."""
    return _to_ascii(json.encode(header)) + b"\n"


def write_event(row: EventRow) -> bytes:
    """Write an event as a line, with its end."""
    head = {
        "id": row.id,
        "at_ms": row.at_ms,
        "machine": row.machine,
        "sequence": row.sequence,
        "session": row.session,
        "question": row.question,
        "body": Raw(row.body.encode()),
    }
    text = _to_ascii(json.encode(head))[:-1]
    return b'%s%s%08x"}\n' % (text, _CHECK, zlib.crc32(text))


def read_header(line: bytes) -> Header:
    """Read the first line.

    Raises:
        NewerFormat: it is of a newer version.
        BadLine: it is not that of a log.
    """
    try:
        header = _headers.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadLine(fact("exchange.not-a-log")) from None
    if header.format != FORMAT:
        raise BadLine(fact("exchange.not-a-log"))
    if header.version != VERSION:
        raise NewerFormat(fact("exchange.newer-format", version=header.version, known=VERSION))
    return header


def read_id(line: bytes) -> str | None:
    """Return the id that a line begins with, as `write_event` writes it; None for another line."""
    found = _ID_FIRST.match(line)
    return found[1].decode() if found else None


def is_intact(line: bytes) -> bool:
    """Return True if a line has a check that matches."""
    ending = _ENDING.search(line)
    return ending is not None and zlib.crc32(line[: ending.start()]) == int(ending[1], 16)


_ID_FIRST = re.compile(rb'\{"id":"([0-9a-f]{32})"')


def read_event(line: bytes) -> ReadEvent | NewerEvent:
    """Read an event from its line, without the line's end.

    Raises:
        BadLine: it is none, or not as it was written.
    """
    if _ENDING.search(line) and not is_intact(line):
        raise BadLine(fact("exchange.changed-line"))
    try:
        found = _lines.decode(line)
        kind = _tags.decode(found.body).type
        if kind not in _fields:
            return NewerEvent(kind)
        if not _fields[kind].issuperset(json.decode(found.body)):
            return NewerEvent(kind)
        body = _bodies.decode(found.body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadLine(fact("exchange.not-an-event", reason=str(error)[:200])) from None
    if not _is_plausible(found, body):
        raise BadLine(fact("exchange.implausible"))
    text = bytes(found.body).decode()
    head = (found.id, found.at_ms, found.machine, found.sequence, found.session, found.question)
    return ReadEvent(EventRow(*head, kind, text), body)


def _is_plausible(line: _Line, body: Body) -> bool:
    """Return False for what no program of ours would have written."""
    if line.question is None:
        named = isinstance(body, (*OF_NO_QUESTION, Voided, Unvoided))
    else:
        named = 0 < len(line.question) <= _LONGEST_NAME and line.question.isprintable()
    numbers = [getattr(body, name) for name in body.__struct_fields__]
    return (
        named
        and 0 < line.at_ms < LATEST_MS
        and 0 < line.sequence < _MOST
        and is_id(line.id)
        and is_id(line.machine)
        and len(line.session) <= _LONGEST_NAME
        and all(abs(number) < _MOST for number in numbers if isinstance(number, int | float))
        and all(0 <= getattr(body, name, 0) < _LATEST_DAY for name in _DAYS)
        and _is_schedulable(body)
        and _is_tombstone(body)
    )


def _is_schedulable(body: Body) -> bool:
    """Return False for parameters that the scheduler cannot use."""
    if not isinstance(body, ParametersSet):
        return True
    parameters = body.parameters
    if not (0 < parameters.retention < 1 and 0 < parameters.maximum_days < _LATEST_DAY):
        return False
    try:
        memory = None
        for day, rating in enumerate((*Rating, *Rating)):
            memory = review("probe", memory, rating, day, parameters)
    except (ValueError, ArithmeticError, IndexError, TypeError):
        return False
    return memory is not None and 0 < memory.stability < _MOST


def _is_tombstone(body: Body) -> bool:
    """Return False for an erase that names no machine or no number."""
    through = body.through if isinstance(body, Erased) else {}
    return all(is_id(machine) and 0 < last < _MOST for machine, last in through.items())


def parameters_in(events: Iterable[ReadEvent]) -> set[str]:
    """Return the ids of the scheduler's parameters that the events set."""
    bodies = (event.body for event in events)
    return {body.parameters.id for body in bodies if isinstance(body, ParametersSet)}


def parameters_of(events: Iterable[ReadEvent]) -> set[str]:
    """Return the ids of the parameters that events were scheduled under."""
    bodies = (event.body for event in events)
    return {body.parameters_id for body in bodies if isinstance(body, Answered | Placed)}


def _to_ascii(text: bytes) -> bytes:
    """Return the same JSON in ASCII, so that any program, pipe, or disk keeps it as it is."""
    if text.isascii() and b"\x7f" not in text:
        return text
    written = plain_json.dumps(plain_json.loads(text), separators=(",", ":"))
    return written.replace("\x7f", r"\u007f").encode()
