"""Accesses through pointers: from addresses to the cells that threads access, and what is wrong.

An access of a warp whose threads point into several allocations is one request for each space. A
vector such as float4 is one access of up to 16 bytes, whose members are watched one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from grader.facts import fact
from grader.frozen import frozen
from grader.simt.checks.shadow import WIDEST
from grader.simt.machine.chunk import Chunk, ExecutionPoint
from grader.simt.machine.conversion import uniform
from grader.simt.machine.patterns import LaneSpan
from grader.simt.masks import Mask, take_active
from grader.simt.memory.allocations import (
    NO_RANK,
    Addresses,
    Allocation,
    allocations_of,
    distinct_starts,
    forget_owners,
    is_hosts,
    is_null,
    name_owners,
    name_rank,
    owner_space,
    ranks_of,
    starts_of,
)
from grader.simt.memory.cluster_memory import of_rank
from grader.simt.memory.reaching import Cells, Reached, join, uncounted
from grader.simt.memory.records import RecordBuffer
from grader.simt.memory.views import AtomicUpdate, Buffer, Ints, Vector, View, bound, report_outside
from grader.simt.program.types import (
    COMPLEX128,
    INT64,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    Pointer,
    Scalar,
    VectorType,
)

Kind = Scalar | VectorType | Pointer
Move = tuple[Vector, int]
"""An integer for each thread, and the bytes of one step."""
_WORDS = {dtype.itemsize: dtype for dtype in (UINT8, UINT16, UINT32, UINT64, COMPLEX128)}
"""What a vector is counted as, by its bytes."""
_WRAPS = 1 << 59
"""Steps from which a pointer may come round: a step has up to 16 bytes."""
_ZERO = uniform(0, INT64)


@frozen(eq=False)
class PointerCells:
    """Cells that hold pointers."""

    cells: Reached

    @property
    def mask(self) -> Mask:
        """The threads that access them."""
        return self.cells.mask

    def load(self) -> Vector:
        """Read; other threads get any value."""
        return forget_owners(self.cells.load(), self.cells.here.chunk)

    def store(self, value: Vector) -> None:
        """Write."""
        self.cells.store(name_owners(value, self.cells.here.chunk))

    def atomic(self, update: AtomicUpdate) -> Vector:
        """Read, change and write, one thread after the other; what each one read."""
        return self.cells.atomic(update)


@frozen(eq=False)
class VectorCells:
    """The cells of vectors; a value is a tuple.

    Attributes:
        members: of each member, where nothing is counted.
        words: the accesses that are made.
    """

    members: tuple[Reached, ...]
    words: tuple[Reached, ...]

    @property
    def mask(self) -> Mask:
        """The threads that access them."""
        return self.words[0].mask

    def load(self) -> tuple[Vector, ...]:
        """Read; other threads get any value."""
        for word in self.words:
            word.count("load")
        return tuple(member.load() for member in self.members)

    def store(self, value: tuple[Vector, ...]) -> None:
        """Write."""
        for word in self.words:
            word.count("store")
        for member, part in zip(self.members, value, strict=True):
            member.store(part)


Pointed = Reached | PointerCells | VectorCells


class _Part(NamedTuple):
    """The threads that access one allocation, and the element of each, of some bytes.

    `rank` is that of the block whose memory it is, where addresses name one of a cluster.
    """

    buffer: Buffer
    places: Ints
    here: ExecutionPoint
    rank: int = -1


def move_pointer(
    pointer: Addresses, index: Vector, step: int, chunk: Chunk, mask: Mask
) -> Addresses:
    """Return a pointer, moved by an integer number of steps of some bytes.

    Args:
        index: of any integer type.
        step: in bytes.
    """
    span, patterns = _span_of(pointer, mask, chunk), chunk.patterns
    if span is None:
        moved: Addresses = pointer + patterns.widen(index) * step
        return moved
    span = patterns.advance_span(span, index, step)
    if span.steps.size > 1:
        return patterns.addresses(span)
    return uniform(span.start + int(span.steps[0, 0]) * span.size, INT64)


def reach_target(
    kind: Kind, pointer: Addresses, moves: Sequence[Move], here: ExecutionPoint
) -> Pointed | None:
    """Find the cells that pointers point to, for the threads whose pointer is right; None without.

    Args:
        pointer: the addresses, before they are moved.
        moves: by which they are moved; the addresses themselves need not be computed.
    """
    alive = here.chunk.without_raised(here.mask)
    if alive is None:
        return None
    here = here._replace(mask=alive)
    if not isinstance(kind, VectorType):
        dtype = INT64 if isinstance(kind, Pointer) else kind
        parts = _find_parts(dtype.itemsize, pointer, moves, here)
        cells = _cells(parts, dtype, lambda index: index, here)
        return PointerCells(cells) if cells and isinstance(kind, Pointer) else cells
    return _reach_vector(kind, pointer, moves, here)


def _reach_vector(
    kind: VectorType, pointer: Addresses, moves: Sequence[Move], here: ExecutionPoint
) -> VectorCells | None:
    """Find the cells of vectors: one of three members is read member by member, as compiled."""
    size, whole = kind.dtype.itemsize, kind.dtype.itemsize * kind.size
    word = size if kind.size == 3 else min(whole, WIDEST)
    patterns = here.chunk.patterns
    parts = _find_parts(word, pointer, moves, here, whole)
    if not parts:
        return None
    quiet = [part._replace(here=uncounted(part.here)) for part in parts]

    def scaled(by: int, place: int) -> Callable[[Ints], Ints]:
        return lambda index: patterns.shift(patterns.multiply(index, by), place)

    members = [
        _cells(quiet, kind.dtype, scaled(word // size, place), uncounted(here))
        for place in range(kind.size)
    ]
    words = [_cells(parts, _WORDS[word], scaled(1, place), here) for place in range(whole // word)]
    return VectorCells(
        tuple(each for each in members if each), tuple(each for each in words if each)
    )


def _cells(
    parts: Sequence[_Part], dtype: Scalar, place: Callable[[Ints], Ints], here: ExecutionPoint
) -> Reached | None:
    found = [
        Cells(elements_of(part.buffer, dtype), place(part.places), part.here, part.rank)
        for part in parts
    ]
    return join(found, here)


def elements_of(buffer: Buffer, dtype: Scalar) -> Buffer:
    """Return memory as elements of a dtype, one after the other."""
    if isinstance(buffer, RecordBuffer):
        field = buffer.field(dtype)
        if field.watched.cell_bytes == dtype.itemsize:
            return field
        buffer = buffer.field(UINT8)
    whole = buffer.dtype == dtype and buffer.watched.cell_bytes == dtype.itemsize
    return buffer if whole else buffer.reinterpret(dtype)


def _find_parts(
    size: int, pointer: Addresses, moves: Sequence[Move], here: ExecutionPoint, whole: int = 0
) -> list[_Part]:
    """Return the threads whose access is right, by allocation.

    Args:
        size: bytes of an access; a pointer is a multiple of it.
        pointer: the addresses, before they are moved.
        moves: by which they are moved.
        whole: bytes of all accesses, where several follow each other.
    """
    chunk = here.chunk
    if chunk.cluster > 1:
        for index, step in moves:
            pointer = pointer + chunk.patterns.widen(index) * step
        moves = ()
        ranks = ranks_of(pointer)
        if (ranks >= 0).any():
            return _find_in_blocks(size, pointer, ranks, here, whole or size)
    span = _span_of(pointer, here.mask, chunk)
    if span is not None:
        for index, step in moves:
            span = chunk.patterns.advance_span(span, index, step)
        part = _part_of(span, size, whole or size, here)
        return [] if part is None else [part]
    for index, step in moves:
        pointer = pointer + chunk.patterns.widen(index) * step
    found = (
        _part_of(LaneSpan(start, pointer - start, 1), size, whole or size, own)
        for start, own in _by_start(pointer, here)
    )
    return [part for part in found if part is not None]


def _find_in_blocks(
    size: int, pointer: Addresses, ranks: Addresses, here: ExecutionPoint, whole: int
) -> list[_Part]:
    """Return the threads whose access is right, by allocation and by the rank of its block."""
    found = []
    for rank in np.unique(take_active(ranks, here.mask)).tolist():
        mask, _ = here.mask.split(ranks == rank)
        assert mask is not None  # some threads have this rank
        own = name_rank(pointer, NO_RANK)
        for start, there in _by_start(own, here._replace(mask=mask)):
            part = _part_of(LaneSpan(start, own - start, 1), size, whole, there)
            if part is not None and rank >= 0:
                part = part._replace(buffer=of_rank(part.buffer, rank), rank=rank)
            found.append(part)
    return [part for part in found if part is not None]


def _by_start(pointer: Addresses, here: ExecutionPoint) -> Iterator[tuple[int, ExecutionPoint]]:
    """Yield the start of each allocation that threads point into, and those threads."""
    starts = starts_of(pointer)
    for start in distinct_starts(take_active(starts, here.mask)):
        yes, _ = here.mask.split(starts == start)
        if yes is not None:
            yield start, here._replace(mask=yes)


def _span_of(pointer: Addresses, mask: Mask, chunk: Chunk) -> LaneSpan | None:
    """Return what is known of addresses; None if threads point into several allocations."""
    if pointer.size == 1:
        return LaneSpan(int(pointer[0, 0]), _ZERO, WIDEST)
    return chunk.patterns.find_span(pointer, (mask,), lambda: _look_at(pointer, mask))


def _look_at(pointer: Addresses, mask: Mask) -> LaneSpan | None:
    lanes = mask.lanes
    if lanes is None:
        least, most = int(pointer.min()), int(pointer.max())
    else:
        lanes, pointer = np.broadcast_arrays(lanes, pointer)
        there = pointer[lanes]
        least, most = int(there.min()), int(there.max())
    first, last = starts_of(np.array([least, most], np.int64)).tolist()
    if first != last:
        return None
    offsets = pointer - first if lanes is None else np.where(lanes, pointer - first, 0)
    together = int(np.bitwise_or.reduce(offsets, axis=None)) | WIDEST
    step = together & -together
    return LaneSpan(first, offsets // step, step)


def _part_of(span: LaneSpan, size: int, whole: int, here: ExecutionPoint) -> _Part | None:
    """Return the elements of threads that point into one allocation, without those outside it."""
    allocation = allocations_of(here.chunk.launch).at(span.start)
    if allocation is None:
        _report_nowhere(span.start, here)
        return None
    index, left = _index(span, allocation, size, here)
    if left is None:
        return None
    here = here._replace(mask=left)
    buffer = allocation.find(here.chunk)
    total = allocation.size // size
    checked = bound(index, total + 1 - whole // size, here)
    if checked.beyond is None:
        return _Part(buffer, checked.whole, here)
    if span.size > 1 and int(np.abs(span.steps).max()) >= _WRAPS:  # 64 bits of bytes hold less
        return _part_of(LaneSpan(span.start, span.steps * span.size, 1), size, whole, here)
    outside = np.broadcast_to(checked.beyond, (len(checked.beyond), here.mask.threads))
    own = isinstance(buffer, RecordBuffer) or buffer.dtype.itemsize != size
    seen = View(elements_of(buffer, _WORDS[size] if own else buffer.dtype), 0, (total,), (1,))
    report_outside(seen, [index], checked.beyond, here, shaped=False)
    inside = here.mask.subtract(outside)
    return None if inside is None else _Part(buffer, checked.whole, here._replace(mask=inside))


def _index(
    span: LaneSpan, allocation: Allocation, size: int, here: ExecutionPoint
) -> tuple[Ints, Mask | None]:
    """Return which element each thread points to, and the threads whose pointer is aligned."""
    patterns, offset = here.chunk.patterns, span.start - allocation.start
    if offset % size == span.size % size == 0:
        if span.steps.size == 1:
            place = offset + int(span.steps[0, 0]) * span.size
            return np.array([[place // size]], np.int64), here.mask
        scaled = patterns.multiply(span.steps, span.size // size)
        return patterns.shift(scaled, offset // size), here.mask
    places = span.steps * span.size + offset
    aligned, wrong = here.mask.split(places % size == 0)
    if wrong is not None:
        _report_misaligned(places, allocation, size, here._replace(mask=wrong))
    return places // size, aligned


def _first(values: Ints, mask: Mask) -> int:
    return int(np.broadcast_to(values, (mask.blocks, mask.threads))[mask.full][0])


def _report_misaligned(
    places: Ints, allocation: Allocation, size: int, here: ExecutionPoint
) -> None:
    watched = elements_of(allocation.find(here.chunk), UINT8).watched
    place = _first(places, here.mask)
    what = fact("finding.misaligned", array=watched.label, byte=place, size=size)
    here.report("misaligned", here.mask.full, what, **watched.facts(place, (place,)))


def _report_nowhere(pointer: int, here: ExecutionPoint) -> None:
    """Report threads whose pointer is in no allocation that they can access."""
    space = owner_space(pointer)
    if space == "shared":
        what = fact("finding.foreign-shared")
    elif space == "local":
        what = fact("finding.foreign-local")
    elif is_null(pointer):
        what = fact("finding.null-pointer")
    elif is_hosts(pointer):
        what = fact("finding.host-pointer")
    elif line := allocations_of(here.chunk.launch).find_freed_line(pointer):
        what = fact("finding.freed-pointer", line=line)
    else:
        what = fact("finding.wild-pointer")
    here.report("out-of-bounds", here.mask.full, what, topic=what.code)
