"""The memory that a launch writes to, of several processes that ran parts of it: compared, united.

What is known of it is its shadow: which cells a process accessed, and how. Another process's memory
is read as a debugger does.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.checks.access_runs import AccessRun, AccessRuns
from grader.simt.checks.shadow import Kind, Shadow
from grader.simt.launches.arguments import is_own_memory
from grader.simt.masks import Bools
from grader.simt.memory.allocations import Heap
from grader.simt.memory.global_memory import GlobalBuffer
from grader.simt.memory.records import RecordBuffer
from grader.simt.memory.written import WrittenPart
from grader.simt.program.types import UINT8

_PIECE = 1 << 19
"""Cells that are looked at together: their numbers stay in a core's cache."""
_THREADS = 2
"""Read another process, which does nothing meanwhile."""


@dataclass(frozen=True, eq=False)
class TrackedMemory:
    """Memory that a kernel may write to.

    Attributes:
        bytes: of it, from the first cell on.
        written: which bytes were written; None if that is not asked.
    """

    shadow: Shadow
    bytes: NDArray[np.uint8]
    written: WrittenPart | None


class CellRecord(NamedTuple):
    """The record of one kind of access in another process.

    Attributes:
        first, last: of the cells that were accessed; one after it.
        runs: all of it, if it is kept in runs; else None.
        columns: the addresses of those of `ShadowRecord`; 0 for one that is not kept.
    """

    first: int
    last: int
    runs: tuple[AccessRun, ...] | None = None
    columns: tuple[int, int, int] = (0, 0, 0)


class CellRecords(NamedTuple):
    """The shadow of some memory in another process. `cell`: bytes of a cell."""

    cell: int
    kinds: Mapping[Kind, CellRecord]

    def near(self, cells: slice) -> Mapping[Kind, CellRecord]:
        """Return the records that may have accesses to some cells."""
        return {
            kind: record
            for kind, record in self.kinds.items()
            if record.first < cells.stop and cells.start < record.last
        }


def find_tracked(
    buffers: Iterable[GlobalBuffer | RecordBuffer], heap: Heap | None
) -> list[TrackedMemory] | None:
    """Find the memory that a kernel may write to, once each.

    Returns:
        None if it is not known to be this process's own, or if a shadow does not know all bytes.
    """
    found: dict[int, TrackedMemory] = {}
    spans: list[tuple[int, int, bool]] = []
    for buffer in buffers:
        fields = buffer.fields if isinstance(buffer, RecordBuffer) else {buffer.dtype: buffer}
        tracked = []
        for part in fields.values():
            assert isinstance(part, GlobalBuffer)
            if part.shadow is None:
                continue
            tracked.append(part)
            if id(part.shadow) in found:
                continue
            if part.dtype.itemsize > part.unit or not _is_private(part.flat, heap):
                return None
            written = None if part.written is None else part.written.part
            memory = TrackedMemory(part.shadow, part.flat.view(np.uint8), written)
            found[id(part.shadow)] = memory
        apart = len({id(part.shadow) for part in tracked}) == len(tracked) > 1
        if apart and UINT8 in fields:  # a byte of another field, which has a shadow of its own
            return None
        spans += [(*_span(part), bool(tracked)) for part in fields.values()][:1]
    spans.sort()
    for (_, end, first), (start, _, second) in pairwise(spans):
        if start < end and (first or second):
            return None
    return list(found.values())


def _span(buffer: Any) -> tuple[int, int]:
    start = buffer.flat.__array_interface__["data"][0]
    return start, start + buffer.flat.size * buffer.unit


def _is_private(flat: NDArray[Any], heap: Heap | None) -> bool:
    """Return True if what a fork writes there stays its own."""
    if is_own_memory(flat):
        return True
    start = flat.__array_interface__["data"][0]
    return heap is not None and heap.detach is not None and heap.holds(start)


def describe_records(memory: TrackedMemory) -> CellRecords | None:
    """Describe a shadow for another process; None if it cannot be united with others.

    Atomic accesses depend on the order of blocks, and so does which of several blocks wrote last.
    """
    shadow, kinds = memory.shadow, dict[Kind, CellRecord]()
    if shadow.record("atomic") is not None or shadow.record("poll") is not None:
        return None
    for kind in ("load", "store"):
        record = shadow.record(kind)
        if record is None:
            continue
        if kind == "store" and record.has_several_blocks():
            return None
        if record.runs is not None:
            runs = tuple(record.runs)
            first, last = min(run.first for run in runs), max(run.last for run in runs) + 1
            kinds[kind] = CellRecord(first, last, runs)
            continue
        first, last = _find_ends(record.thread)
        thread, site, when = (0 if each is None else _address(each) for each in record.columns)
        kinds[kind] = CellRecord(first, last, columns=(thread, site, when))
    return CellRecords(shadow.cell, kinds)


def _address(values: NDArray[Any]) -> int:
    address: int = values.__array_interface__["data"][0]
    return address


def _find_ends(values: NDArray[np.int32]) -> tuple[int, int]:
    """Return the first place of a number other than 0, and one after the last."""
    starts = range(0, values.size, _PIECE)
    first = next((at for at in starts if values[at : at + _PIECE].any()), None)
    if first is None:
        return 0, 0
    last = next(at for at in reversed(starts) if values[at : at + _PIECE].any())
    low, high = (
        np.flatnonzero(values[first : first + _PIECE]),
        np.flatnonzero(values[last : last + _PIECE]),
    )
    return first + int(low[0]), last + int(high[-1]) + 1


class _Span(ctypes.Structure):
    _fields_ = (("start", ctypes.c_void_p), ("size", ctypes.c_size_t))


class OtherMemory:
    """The memory of another process that is known to be still there."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._file = os.open(f"/proc/{process}/mem", os.O_RDONLY)
        self._copy = getattr(ctypes.CDLL(None), "process_vm_readv", None)
        """Copies once, where the file copies twice; the system may lack it, or forbid it."""

    def close(self) -> None:
        """Close it."""
        os.close(self._file)

    def read(self, address: int, into: NDArray[Any]) -> None:
        """Read what is at an address into memory without gaps."""
        room = into.view(np.uint8)
        while room.size:
            count = self._read_some(address, room)
            if count <= 0:
                raise OSError
            room, address = room[count:], address + count

    def _read_some(self, address: int, room: NDArray[np.uint8]) -> int:
        ours, theirs = _Span(_address(room), room.size), _Span(address, room.size)
        count = -1
        if self._copy is not None:
            count = self._copy(self._process, ctypes.byref(ours), 1, ctypes.byref(theirs), 1, 0)
        return count if count > 0 else os.preadv(self._file, [room.data], address)

    def take(self, address: int, into: NDArray[Any], some: Bools | None) -> None:
        """Read values into all places of an array, or into some."""
        if some is None:
            self.read(address, into)
            return
        found = np.empty_like(into)
        self.read(address, found)
        np.copyto(into, found, where=some)

    def find_accessed(self, record: CellRecord, cells: slice) -> Bools:
        """Return which of some cells were accessed."""
        if record.runs is not None:
            return AccessRuns(record.runs).find_accessed(cells)
        threads = np.empty(cells.stop - cells.start, np.int32)
        self.read(record.columns[0] + cells.start * threads.itemsize, threads)
        accessed: Bools = threads != 0
        return accessed


Others = Sequence[tuple[OtherMemory, CellRecords]]


def have_conflict(memory: TrackedMemory, others: Others) -> bool:
    """Return True if a cell that one process wrote was accessed by another one, or this one."""
    shadow = memory.shadow
    known = [(other, records) for other, records in others if records.kinds]
    if not known:
        return False
    cell = min(records.cell for _, records in known)
    if any(records.cell != cell for _, records in known) or cell > shadow.cell:
        return True
    shadow.cells_of(cell)
    hulls = [record for _, records in known for record in records.kinds.values()]
    low, high = min(hull.first for hull in hulls), max(hull.last for hull in hulls)
    for start in range(low, high, _PIECE):
        cells = slice(start, min(start + _PIECE, high))
        near = [(other, found) for other, records in known if (found := records.near(cells))]
        if len(near) + shadow.is_accessed(cells) < 2:
            continue
        there = [_find_accessed(other, found, cells) for other, found in near]
        there.append(_find_own(shadow, cells))
        anyone = np.sum([accessed for accessed, _ in there], axis=0, dtype=np.uint8)
        writers = np.sum([stored for _, stored in there], axis=0, dtype=np.uint8)
        if ((writers > 0) & (anyone > 1)).any():
            return True
    return False


def _find_own(shadow: Shadow, cells: slice) -> tuple[Bools, Bools]:
    """Return which cells were accessed in this process, and which were written."""
    stored, load = shadow.find_written(cells), shadow.record("load")
    return stored if load is None else stored | load.find_accessed(cells), stored


def _find_accessed(
    other: OtherMemory, records: Mapping[Kind, CellRecord], cells: slice
) -> tuple[Bools, Bools]:
    """Return the same of another process."""
    stored = np.zeros(cells.stop - cells.start, np.bool_)
    accessed = stored
    for kind, record in records.items():
        there = other.find_accessed(record, cells)
        accessed = accessed | there
        stored = there if kind == "store" else stored
    return accessed, stored


def unite(memory: TrackedMemory, other: OtherMemory, records: CellRecords) -> None:
    """Take over what another process did to memory that `have_conflict` has nothing against."""
    cell = memory.shadow.cell  # theirs too: `have_conflict` has made them equal
    for kind, theirs in records.kinds.items():
        ours = memory.shadow.take_record(kind)
        for run in theirs.runs or ():
            ours.write(run)
        columns = () if theirs.runs is not None else zip(ours.columns, theirs.columns, strict=True)
        values = memory.bytes if kind == "store" else None
        if theirs.runs is not None and values is None:
            continue
        taken = _Takeover(other, theirs, [*columns], values, cell)
        # Pages that nobody has touched take longer than what is copied into them.
        with ThreadPoolExecutor(_THREADS) as threads:
            pieces = threads.map(taken.take_piece, range(theirs.first, theirs.last, _PIECE))
            for place, some in pieces:
                if memory.written is not None and values is not None:
                    _mark_written(memory.written, place, some)


class _Takeover(NamedTuple):
    """What is taken over of one kind of access to some memory.

    Attributes:
        columns: ours, and the addresses of theirs.
        values: the bytes of the memory, if they were written.
        cell: bytes of a cell.
    """

    other: OtherMemory
    theirs: CellRecord
    columns: Sequence[tuple[NDArray[Any] | None, int]]
    values: NDArray[np.uint8] | None
    cell: int

    def take_piece(self, start: int) -> tuple[slice, Bools | None]:
        """Take over some cells.

        Returns:
            Their bytes, and which of these were accessed; None if all.
        """
        cells = slice(start, min(start + _PIECE, self.theirs.last))
        there = self.other.find_accessed(self.theirs, cells)
        some = None if there.all() else there
        for column, address in self.columns:
            if column is not None:
                self.other.take(address + cells.start * column.itemsize, column[cells], some)
        place = slice(cells.start * self.cell, cells.stop * self.cell)
        if self.values is not None:
            target = self.values[place]
            if some is not None:
                some = np.repeat(some, self.cell)[: target.size]
            self.other.take(_address(target), target, some)  # at the same address there
        return place, some


def _mark_written(written: WrittenPart, place: slice, some: Bools | None) -> None:
    if some is None:
        written.mark_span(place.start, min(place.stop, written.size))
    elif some.any():
        written.bytes[place][some] = True
