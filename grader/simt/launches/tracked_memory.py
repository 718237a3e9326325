"""The memory that a launch writes to, of several processes that ran parts of it: compared, united.

What is known of it is its shadow: which cells a process accessed, and how. Another process is read
through `/proc`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.checks.shadow import Kind, Shadow, ShadowRecord
from grader.simt.launches.arguments import is_own_memory
from grader.simt.masks import Bools
from grader.simt.memory.allocations import Heap
from grader.simt.memory.global_memory import GlobalBuffer
from grader.simt.memory.records import RecordBuffer
from grader.simt.program.types import UINT8

_PIECE = 1 << 19
"""Cells that are looked at together: their numbers stay in a core's cache."""
_THREADS = 2
"""Read another process, which does nothing meanwhile."""


@dataclass(frozen=True, eq=False)
class TrackedMemory:
    """Memory that a kernel may write to.

    Attributes:
        shadow: of it.
        bytes: of it, from the first cell on.
        written: which bytes were written; None if that is not asked.
    """

    shadow: Shadow
    bytes: NDArray[np.uint8]
    written: Bools | None


class CellRecord(NamedTuple):
    """The record of one kind of access in another process.

    Attributes:
        first, last: of the cells that were accessed; one after it.
        columns: the addresses of those of `ShadowRecord`; 0 for one that is not kept.
    """

    first: int
    last: int
    columns: tuple[int, int, int]


class CellRecords(NamedTuple):
    """The shadow of some memory in another process.

    Attributes:
        cell: bytes of a cell.
    """

    cell: int
    kinds: Mapping[Kind, CellRecord]


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
            written = None if part.written is None else part.written.bytes
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
    if shadow.record("atomic") is not None:
        return None
    for kind in ("load", "store"):
        record = shadow.record(kind)
        if record is None:
            continue
        if kind == "store" and record.has_several_blocks():
            return None
        first, last = _find_ends(record.thread)
        thread, site, when = (0 if each is None else _address(each) for each in record.columns)
        kinds[kind] = CellRecord(first, last, (thread, site, when))
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


class OtherMemory:
    """The memory of another process that is known to be still there."""

    def __init__(self, process: int) -> None:
        self._file = os.open(f"/proc/{process}/mem", os.O_RDONLY)

    def close(self) -> None:
        """Close it."""
        os.close(self._file)

    def read(self, address: int, into: NDArray[Any]) -> None:
        """Read what is at an address into memory without gaps."""
        room = memoryview(into.view(np.uint8).data)
        while room.nbytes:
            count = os.preadv(self._file, [room], address)
            if count <= 0:
                raise OSError
            room, address = room[count:], address + count

    def take(self, address: int, into: NDArray[Any], some: Bools | None) -> None:
        """Read values into all places of an array, or into some."""
        if some is None:
            self.read(address, into)
            return
        found = np.empty_like(into)
        self.read(address, found)
        np.copyto(into, found, where=some)

    def threads(self, record: CellRecord, cells: slice) -> NDArray[np.int32]:
        """Read the threads that accessed some cells."""
        found = np.empty(cells.stop - cells.start, np.int32)
        self.read(record.columns[0] + cells.start * found.itemsize, found)
        return found


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
        parts = [_find_accessed(other, records, cells) for other, records in known]
        if sum(part is not None for part in parts) + shadow.is_accessed(cells) < 2:
            continue
        parts.append(_find_own(shadow, cells))
        there = [part for part in parts if part is not None]
        anyone = np.sum([accessed for accessed, _ in there], axis=0, dtype=np.uint8)
        writers = np.sum([stored for _, stored in there], axis=0, dtype=np.uint8)
        if ((writers > 0) & (anyone > 1)).any():
            return True
    return False


def _find_own(shadow: Shadow, cells: slice) -> tuple[Bools, Bools]:
    """Return which cells were accessed in this process, and which were written."""
    stored, load = shadow.find_written(cells), shadow.record("load")
    return stored if load is None else stored | (load.thread[cells] != 0), stored


def _find_accessed(
    other: OtherMemory, records: CellRecords, cells: slice
) -> tuple[Bools, Bools] | None:
    """Return the same of another process; None if it accessed none of them."""
    near = {
        kind: record
        for kind, record in records.kinds.items()
        if record.first < cells.stop and cells.start < record.last
    }
    if not near:
        return None
    stored = np.zeros(cells.stop - cells.start, np.bool_)
    accessed = stored
    for kind, record in near.items():
        there = other.threads(record, cells) != 0
        accessed = accessed | there
        stored = there if kind == "store" else stored
    return accessed, stored


def unite(memory: TrackedMemory, other: OtherMemory, records: CellRecords) -> None:
    """Take over what another process did to memory that `have_conflict` has nothing against."""
    for kind, theirs in records.kinds.items():
        ours = memory.shadow.take_record(kind)
        values = memory if kind == "store" else None
        take = partial(_take_piece, ours, other, theirs, values)
        # Pages that nobody has touched take longer than what is copied into them.
        with ThreadPoolExecutor(_THREADS) as threads:
            list(threads.map(take, range(theirs.first, theirs.last, _PIECE)))


def _take_piece(
    ours: ShadowRecord, other: OtherMemory, theirs: CellRecord, memory: TrackedMemory | None,
    start: int,
) -> None:  # fmt: skip
    """Take over what is recorded of some cells; and their values, if they were written."""
    cells = slice(start, min(start + _PIECE, theirs.last))
    threads = other.threads(theirs, cells)
    there = threads != 0
    if not there.any():
        return
    some = None if there.all() else there
    np.copyto(ours.thread[cells], threads, where=there)
    for values, address in list(zip(ours.columns, theirs.columns, strict=True))[1:]:
        if values is not None:
            other.take(address + cells.start * values.itemsize, values[cells], some)
    if memory is not None:
        _take_values(memory, other, cells, some)


def _take_values(
    memory: TrackedMemory, other: OtherMemory, cells: slice, some: Bools | None
) -> None:
    """Read the values of some cells, or of all; they lie at the same addresses there."""
    cell = memory.shadow.cell  # theirs too: `have_conflict` has made them equal
    target = memory.bytes[cells.start * cell : cells.stop * cell]
    if some is not None and cell > 1:
        some = np.repeat(some, cell)[: target.size]
    other.take(_address(target), target, some)
    if memory.written is not None:
        known = memory.written[cells.start * cell : cells.stop * cell]
        known[slice(None) if some is None else some] = True
