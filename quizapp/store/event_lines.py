"""A log as text: one event per line, as JSON in ASCII, below a line that names the format.

`docs/exchange.md` describes it. Knows no file and no table. What another program wrote is believed
only within the bounds of `quizapp.domain.log.event_bounds`.
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
from quizapp.domain.bounds import Violation
from quizapp.domain.log.event_bounds import Implausible, find_implausible, find_misplaced, is_ahead
from quizapp.domain.log.events import (
    OF_NO_QUESTION,
    Answered,
    Body,
    LogEntry,
    ParametersSet,
    Placed,
    Unvoided,
    Voided,
)
from quizapp.store.safety.salvage import EventRow

FORMAT = "quiz-events"
VERSION = 1
LONGEST_LINE = 16 * 1024 * 1024
"""Bytes; the longest event that quiz writes is a submission of some kilobytes."""

_CHECK = b',"check":"'
_ENDING = re.compile(rb',"check":"([0-9a-f]{8})"}\Z')


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


@dataclass(frozen=True, slots=True)
class AheadEvent:
    """An event that is dated after today, and waits where it is until its day has come."""


LaterEvent = NewerEvent | AheadEvent
"""An event that cannot be taken in yet."""


class BadLine(Exception):
    """A line that is not an event; `reason` says why."""

    def __init__(self, reason: Fact) -> None:
        self.reason = reason
        super().__init__(reason)


class ImplausibleLine(BadLine):
    """An event, `row`, of which a field is out of its bounds."""

    def __init__(self, reason: Fact, row: EventRow) -> None:
        super().__init__(reason)
        self.row = row


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


def read_event(line: bytes, now_ms: int | None = None) -> ReadEvent | LaterEvent:
    """Read an event from its line, without the line's end.

    `now_ms`: what the clock says, if it matters whether the event is dated after today.

    Raises:
        ImplausibleLine: a field is out of its bounds.
        BadLine: it is none, or not as it was written.
    """
    if _ENDING.search(line) and not is_intact(line):
        raise BadLine(fact("exchange.changed-line"))
    try:
        found = _lines.decode(line)
        kind = _tags.decode(found.body).type
        if kind not in _fields:
            return NewerEvent(kind)
        raw = json.decode(found.body)
        if not _fields[kind].issuperset(raw):
            return NewerEvent(kind)
        body = _bodies.decode(found.body)
        if not _is_known(raw, body):
            return NewerEvent(kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadLine(fact("exchange.not-an-event", reason=str(error)[:200])) from None
    text = bytes(found.body).decode()
    head = (found.id, found.at_ms, found.machine, found.sequence, found.session, found.question)
    row = EventRow(*head, kind, text)
    stray = find_misplaced(found, kind) or _find_misfiled(found, body) or find_implausible(body)
    if stray is not None:
        raise ImplausibleLine(stray.text, row)
    if now_ms is not None and is_ahead(body, now_ms):
        return AheadEvent()
    return ReadEvent(row, body)


def _find_misfiled(line: _Line, body: Body) -> Implausible | None:
    """Return the question of an event that should be filed under one."""
    if line.question is not None or isinstance(body, (*OF_NO_QUESTION, Voided, Unvoided)):
        return None
    violation = Violation("", line.question, fact("bound.question"))
    return Implausible(str(body.__struct_config__.tag), "question", violation)


def _is_known(raw: object, read: object) -> bool:
    """Return False if a value has a key that was not read, since only a newer program knows it."""
    if isinstance(read, Struct) and isinstance(raw, dict):
        fields = {*read.__struct_fields__, read.__struct_config__.tag_field}
        return all(k in fields and _is_known(v, getattr(read, k, None)) for k, v in raw.items())
    if isinstance(read, tuple) and isinstance(raw, list):
        return all(map(_is_known, raw, read))
    return True


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
