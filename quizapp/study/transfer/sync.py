"""Progress of several machines in one shared folder: each appends its own file, and reads all.

No file is written by two machines, so whatever carries the folder meets no conflict; where it makes
a copy all the same, the copy is read, too. An event is known by its id, so neither the order in
which lines come nor how often they come decides anything.
"""

from __future__ import annotations

import os
import uuid
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import TYPE_CHECKING, NamedTuple

from grader.facts import Fact, fact
from quizapp import __version__
from quizapp.domain.errors import UsageError
from quizapp.domain.log.erasing import Tombstones, find_tombstones
from quizapp.domain.log.events import Erased, LogEntry, Unvoided, Voided
from quizapp.store import event_lines
from quizapp.store.event_lines import (
    AheadEvent,
    BadLine,
    Header,
    ImplausibleLine,
    NewerEvent,
    NewerFormat,
    ReadEvent,
)
from quizapp.store.foreign import Arrival
from quizapp.store.log import NewEvent
from quizapp.store.safety.salvage import EventRow
from quizapp.system.files import name_unwritable, open_plain, replace_file_by_parts

if TYPE_CHECKING:
    from quizapp.store.store import Store

Progress = Callable[[int], None]
"""Gets the number of lines that are done."""

_SESSION = "sync"
_HEADER = b'{"format"'
"""How the first line of a file begins."""


class _Head(NamedTuple):
    """What a plan needs of an event, without its body: of these there may be a million.

    `needs`, `sets`: the ids of the scheduler's parameters that it refers to, or that it sets.
    """

    machine: str
    sequence: int
    question: str | None
    kind: str
    needs: str
    sets: str


class RefusedLine(NamedTuple):
    """An implausible event of a file: the line, from 1, and what is wrong with it."""

    file: str
    line: int
    reason: Fact


class Damage(NamedTuple):
    """Lines of a file that are cut or damaged: how many, and a checksum of what is left of them."""

    lines: int
    checksum: int


@dataclass(slots=True)
class _Content:
    """What the files of a folder hold: ids of all sound lines, and the events unknown here.

    `now_ms`: what the clock says as they are read. `erasing`: those that erase, undo or redo.
    """

    now_ms: int
    ids: set[str] = field(default_factory=set)
    unknown: dict[str, _Head] = field(default_factory=dict)
    erasing: list[LogEntry] = field(default_factory=list)
    files: int = 0
    newer: int = 0
    newer_files: int = 0
    ahead: int = 0
    damaged: dict[str, Damage] = field(default_factory=dict)
    refused: list[RefusedLine] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SyncPlan:
    """What a sync would do here.

    Attributes:
        is_first: this machine has no file in the folder yet.
        incoming: ids of events to take in.
        outgoing: ids of events that no file has yet.
        forgotten: how many events here `quiz erase` erased elsewhere.
        revived: the erases to be taken back, by id.
        waiting: answers whose parameters are in a file that has not come yet.
        newer, newer_files: events, and files, that only a newer program can read.
        ahead: events that are dated after today.
        damaged: the lines that cannot be read, by the name of their file.
        refused: the implausible events, which are not taken in.
        withdrawn: answers that came from elsewhere and were taken back here.
        files: how many files were read.
    """

    folder: Path
    is_first: bool
    incoming: frozenset[str]
    outgoing: frozenset[str]
    tombstones: Tombstones
    forgotten: int
    revived: tuple[str, ...]
    waiting: int
    newer: int
    newer_files: int
    ahead: int
    damaged: Mapping[str, Damage]
    refused: tuple[RefusedLine, ...]
    withdrawn: int
    files: int

    @property
    def unreadable(self) -> int:
        """How many lines are cut or damaged."""
        return sum(damage.lines for damage in self.damaged.values())


@dataclass(frozen=True, slots=True)
class SyncResult:
    """What a sync did: events taken in and written; `backup`: made before events were forgotten."""

    taken: int
    written: int
    backup: Path | None


def plan_sync(
    store: Store, folder: Path, now_ms: int, progress: Progress, *, revive: bool = False
) -> SyncPlan:
    """Read the files of the folder and find what a sync would do. Nothing is changed.

    `now_ms`: what the clock says. `revive`: take back every erase.

    Raises:
        UsageError: there is no such folder.
        EnvironmentProblem: what has the name of this machine's file is not one, or not writable.
    """
    if not folder.is_dir():
        raise UsageError(fact("sync.no-folder", folder=str(folder)))
    own = _own_file(folder, store)
    is_first = not os.path.lexists(own)
    if not is_first:
        with name_unwritable(own):
            os.close(open_plain(own, os.O_RDONLY))
    content = _Content(now_ms)
    _read_folder(folder, {row.id for row in store.event_heads()}, content, progress)
    erases = find_tombstones((*store.erases(), *content.erasing))
    tombstones = Tombstones() if revive else erases
    welcome = {id_: head for id_, head in content.unknown.items() if not tombstones.cover(head)}
    parameters = {*store.parameters(), *(head.sets for head in welcome.values()), ""}
    ready = frozenset(id_ for id_, head in welcome.items() if head.needs in parameters)
    return SyncPlan(
        folder=folder,
        is_first=is_first,
        incoming=ready,
        outgoing=frozenset(
            row.id
            for row in store.shared_events()
            if row.id not in content.ids and not tombstones.cover(row)
        ),
        tombstones=tombstones,
        forgotten=sum(map(tombstones.cover, store.event_heads())) if tombstones.through else 0,
        revived=erases.ids if revive else (),
        waiting=len(welcome) - len(ready),
        newer=content.newer,
        newer_files=content.newer_files,
        ahead=content.ahead,
        damaged=content.damaged,
        refused=tuple(content.refused),
        withdrawn=sum(brought.answers for brought in store.withdrawn_imports()),
        files=content.files,
    )


def carry_out(store: Store, plan: SyncPlan, now_ms: int) -> SyncResult:
    """Do what was planned. What is interrupted is finished by the next sync.

    Raises:
        StoreError: nothing was taken in.
        EnvironmentProblem: the own file cannot be written.
    """
    backup = store.forget(plan.tombstones) if plan.forgotten else None
    arrival = Arrival(uuid.uuid4().hex, _SESSION, str(plan.folder), now_ms)
    taken = store.take_in(_read_incoming(plan), arrival)
    undone = [
        NewEvent(uuid.uuid4().hex, _SESSION, None, Voided(target=name), now_ms)
        for name in plan.revived
    ]
    store.append(undone)
    outgoing = plan.outgoing | {event.id for event in undone}
    own = _own_file(plan.folder, store)
    _purge(own, plan.tombstones)
    _append(own, store, outgoing)
    return SyncResult(taken, len(outgoing), backup)


def _own_file(folder: Path, store: Store) -> Path:
    """Return the file that this machine, and no other, writes."""
    return folder / f"quiz-{store.machine}.jsonl"


def _append(own: Path, store: Store, ids: frozenset[str]) -> None:
    """Append events, on disk at return. A line that was cut before is ended, not continued."""
    if not ids:
        return
    with name_unwritable(own), open(own, "ab+", opener=open_plain) as file:
        if file.tell() == 0:
            header = Header(
                event_lines.FORMAT, event_lines.VERSION, store.machine, f"quiz {__version__}"
            )
            file.write(event_lines.write_header(header))
        else:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")
        for row in store.stored_events():
            if row.id in ids:
                file.write(event_lines.write_event(row))
        file.flush()
        os.fsync(file.fileno())


def _purge(own: Path, tombstones: Tombstones) -> None:
    """Remove erased events from the own file, if it has any."""
    if not os.path.lexists(own) or not tombstones.through:
        return
    if any(_is_erased(line, tombstones) for line in _read_lines(own)):
        lines = (line for line in _read_lines(own) if not _is_erased(line, tombstones))
        replace_file_by_parts(own, (line + b"\n" for line in lines))


def _is_erased(line: bytes, tombstones: Tombstones) -> bool:
    """Return True also for what is left of a line that was cut: it may be of an erased event."""
    if line.startswith(_HEADER):
        return False
    try:
        event = event_lines.read_event(line)
    except ImplausibleLine as error:
        return tombstones.cover(error.row)
    except BadLine:
        return True
    return isinstance(event, ReadEvent) and tombstones.cover(event.row)


def _read_folder(folder: Path, known: set[str], content: _Content, progress: Progress) -> None:
    """Read all files that look like ours, copies that a sync service made among them."""
    lines = 0
    for path in _find_files(folder):
        content.files += 1
        for number, line in _read_numbered(path):
            lines += 1
            progress(lines)
            try:
                _read_line(line, known, content)
            except NewerFormat:
                content.newer_files += 1
                break
            except ImplausibleLine as error:
                content.refused.append(RefusedLine(path.name, number, error.reason))
            except BadLine:
                before = content.damaged.get(path.name, Damage(0, 0))
                found = Damage(before.lines + 1, zlib.crc32(line, before.checksum))
                content.damaged[path.name] = found


def _find_files(folder: Path) -> list[Path]:
    found = sorted(folder.glob("quiz-*.jsonl"))
    return [path for path in found if path.is_file() and not path.is_symlink()]


def _read_incoming(plan: SyncPlan) -> Iterator[EventRow]:
    """Read the events to take in from the files again, one after the other."""
    missing = set(plan.incoming)
    for path in _find_files(plan.folder):
        if not missing:
            return
        with suppress(NewerFormat):
            yield from _read_missing(path, missing)


def _read_missing(path: Path, missing: set[str]) -> Iterator[EventRow]:
    """Read the events of these ids, each once, and remove them from `missing`.

    Raises NewerFormat: only a newer program can read the file from here on.
    """
    for line in _read_lines(path):
        try:
            event = _read_one_of(missing, line)
        except NewerFormat:
            raise
        except BadLine:  # the plan counted it
            continue
        if event is not None:
            missing.remove(event.row.id)
            yield event.row


def _read_one_of(wanted: set[str], line: bytes) -> ReadEvent | None:
    """Read the event of a line, if it is one of these ids.

    Raises:
        NewerFormat: it is the header of a file that this program cannot read.
        BadLine: it is cut or damaged.
    """
    if line.startswith(_HEADER):
        event_lines.read_header(line)
        return None
    name = event_lines.read_id(line)
    if name is not None and name not in wanted:
        return None
    event = event_lines.read_event(line)
    return event if isinstance(event, ReadEvent) and event.row.id in wanted else None


def _read_line(line: bytes, known: set[str], content: _Content) -> None:
    """Add what a line holds.

    Raises:
        NewerFormat: it is the header of a file that this program cannot read.
        BadLine: it is cut or damaged.
    """
    if line.startswith(_HEADER):
        event_lines.read_header(line)
        return
    name = event_lines.read_id(line)
    if name is not None and (name in known or name in content.ids) and event_lines.is_intact(line):
        content.ids.add(name)
        return
    event = event_lines.read_event(line, content.now_ms)
    if isinstance(event, NewerEvent):
        content.newer += 1
        return
    if isinstance(event, AheadEvent):
        content.ahead += 1
        return
    name = event.row.id
    content.ids.add(name)
    if name not in known and name not in content.unknown:
        content.unknown[name] = _head_of(event)
        if isinstance(event.body, Erased | Voided | Unvoided):
            content.erasing.append(event.entry)


def _head_of(event: ReadEvent) -> _Head:
    row = event.row
    needs, sets = event_lines.parameters_of([event]), event_lines.parameters_in([event])
    question = None if row.question is None else intern(row.question)
    names = (intern(min(each, default="")) for each in (needs, sets))
    return _Head(intern(row.machine), row.sequence, question, intern(row.kind), *names)


def _read_lines(path: Path) -> Iterator[bytes]:
    """Read the lines that are not empty, without their ends."""
    return (line for _, line in _read_numbered(path))


def _read_numbered(path: Path) -> Iterator[tuple[int, bytes]]:
    """Read the lines that are not empty, without their ends, each with its number from 1.

    A longer line than quiz writes comes in pieces, none of which is an event.
    """
    number = 1
    with path.open("rb") as file:
        while line := file.readline(event_lines.LONGEST_LINE):
            if stripped := line.strip():
                yield number, stripped
            number += line.endswith(b"\n")
