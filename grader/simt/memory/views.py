"""Arrays as a kernel sees them: a buffer, an offset and a shape; finds the element of an index.

Indices are checked here, axis by axis, as Numba wraps them: a negative one counts from the end.
Knows nothing of what the memory is or of what is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import mul
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact, fact
from grader.simt.checks.elements import WatchedArray
from grader.simt.checks.fences import Strength
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.patterns import Patterns
from grader.simt.masks import Bools, Mask
from grader.simt.program.types import Scalar

Vector = NDArray[Any]
Ints = NDArray[np.int64]
Extent = int | Ints
"""A size or an offset: one for all threads, or one each."""
_REPORT, _EACH = 50_000, 20
"""Operations of a report, and for each thread that it may be about."""
_NO_THREAD: Bools = np.zeros((1, 1), dtype=np.bool_)


_APART = 1 << 40
"""Elements from one buffer to the next, where their addresses are not known."""


class Buffer(Protocol):
    """Some memory. `index` is flat, in elements, (rows, columns), and within bounds."""

    watched: WatchedArray
    dtype: Scalar

    def load(self, index: Ints, here: ExecutionPoint) -> Vector:
        """Read; other threads get any value."""

    def store(self, index: Ints, value: Vector, here: ExecutionPoint) -> None:
        """Write."""

    def atomic(self, index: Ints, here: ExecutionPoint, update: AtomicUpdate) -> Vector:
        """Read, change and write, one thread after the other; what each one read."""

    def count(self, kind: str, index: Ints, here: ExecutionPoint, banks: str) -> None:
        """Count an access that is made elsewhere.

        Args:
            kind: `load`, `store` or `atomic`.
            index: may go on into other buffers, see `distance`.
            banks: what `grader.banks` calls it.
        """

    def reinterpret(self, dtype: Scalar) -> Buffer:
        """Return the same memory as elements of another type; always the same object for it."""

    def distance(self, other: Buffer, place: int) -> int:
        """Return the elements between the starts of this buffer and of another one of its space.

        Args:
            other: of the same dtype.
            place: its number, where only that matters: no two share a sector.
        """


_DEFAULT = Strength()


@dataclass(frozen=True, eq=False)
class AtomicUpdate:
    """The operation of an atomic.

    Attributes:
        apply: from the old values and the operands to the new values, elementwise.
        whole: the ufunc that does it to many at once, if there is one.
        kind: of `grader.banks`.
        used: whether the kernel uses what was there before.
        keeps_nan: whether a NaN in memory stays; `whole` knows only of NaN among the operands.
        reads: whether anything depends on what was there before.
    """

    apply: Callable[..., Vector]
    operands: tuple[Vector, ...]
    whole: np.ufunc | None
    kind: str
    used: bool
    keeps_nan: bool = False
    reads: bool = True
    strength: Strength = _DEFAULT

    @property
    def counted(self) -> Literal["load", "store", "atomic"]:
        """As what counters know it."""
        if self.strength.reads and self.strength.writes:
            return "atomic"
        return "store" if self.strength.writes else "load"


@dataclass(frozen=True, eq=False)
class View:
    """An array or a part of one. Strides are in elements."""

    buffer: Buffer
    offset: Extent
    shape: tuple[Extent, ...]
    strides: tuple[Extent, ...]


def locate(
    view: View, indices: Sequence[Vector], here: ExecutionPoint
) -> tuple[Ints | None, Mask | None]:
    """Return the flat index of an element for each thread, and the threads within bounds.

    Args:
        indices: one integer vector per axis.
    """
    whole: list[Ints] = []
    outside, wrapped = _NO_THREAD, _NO_THREAD
    for index, size in zip(indices, view.shape, strict=True):
        inside, beyond, wraps = check_index(index, size, here)
        if beyond is not None:
            outside = outside | beyond
        if wraps is not None:
            wrapped = wrapped | wraps
        whole.append(inside)
    flat = _flatten(view, whole, here.chunk.patterns)
    if wrapped is not _NO_THREAD:
        report_wrapped(view, indices, wrapped, here)
    if here.mask.lanes is not None and not all(isinstance(place, int) for place in _places(view)):
        flat = np.where(here.mask.lanes, flat, 0)  # a part of an array per thread: theirs alone
    if outside is _NO_THREAD:
        return flat, here.mask
    report_outside(view, indices, outside, here)
    left = here.mask.subtract(np.broadcast_to(outside, (len(outside), here.mask.threads)))
    flat = np.where(outside, 0, flat)
    return (flat, left) if left is not None else (None, None)


def _flatten(view: View, indices: Sequence[Ints], patterns: Patterns) -> Ints:
    """Return the flat index for indices within bounds; what all threads add comes last."""
    places = _places(view)
    if all(isinstance(place, int) for place in places) and places == (0, 1):
        return indices[0]
    flat: Ints | None = None
    moved = view.offset if isinstance(view.offset, int) else 0
    for index, stride in zip(indices, view.strides, strict=True):
        if not isinstance(stride, int):
            part: Ints = index * stride
        elif index.size == 1:
            moved += int(index[0, 0]) * stride
            continue
        else:
            base, shift = patterns.split(index)
            moved += shift * stride
            part = patterns.multiply(base, stride)
        flat = part if flat is None else patterns.add(flat, part)
    flat = np.full((1, 1), moved, np.int64) if flat is None else patterns.shift(flat, moved)
    return flat if isinstance(view.offset, int) else flat + view.offset


def _places(view: View) -> tuple[Extent, ...]:
    """Return what leads from an index within bounds to a cell."""
    return (view.offset, *view.strides)


def distance_apart(place: int) -> int:
    """Return the distance of a buffer that shares nothing with the one of place 0."""
    return place * _APART


class CheckedIndex(NamedTuple):
    """An index along an axis, 0 where it is not needed, and the threads beyond or wrapped."""

    whole: Ints
    beyond: Bools | None = None
    wrapped: Bools | None = None


def check_index(index: Vector, size: Extent, here: ExecutionPoint) -> CheckedIndex:
    """Check an index along an axis of `size` elements; negative ones count from its end."""
    whole = here.chunk.patterns.widen(index)
    if isinstance(size, int) and _is_within(whole, size, here):
        return CheckedIndex(whole)
    inside, beyond = _split_bounds(whole, size, here)
    wrapped: Bools | None = None
    if beyond.any() and index.dtype.kind != "u":
        wrapped = beyond & (whole < 0) & (whole >= -size)
        whole = np.where(wrapped, whole + size, whole)
        inside = inside | wrapped
        beyond = beyond & ~wrapped
        wrapped = wrapped if wrapped.any() else None
    whole = np.where(inside, whole, 0)
    return CheckedIndex(whole, beyond if beyond.any() else None, wrapped)


def bound(index: Ints, size: int, here: ExecutionPoint) -> CheckedIndex:
    """Check an index of memory of `size` elements; a negative one is outside of it."""
    if _is_within(index, size, here):
        return CheckedIndex(index)
    inside, beyond = _split_bounds(index, size, here)
    return CheckedIndex(np.where(inside, index, 0), beyond if beyond.any() else None)


def _is_within(index: Ints, size: int, here: ExecutionPoint) -> bool:
    """Return True if no thread's index is outside of `size` elements."""
    if index.size == 1:  # there is nothing to remember of it
        return 0 <= int(index[0, 0]) < size
    least, most = here.chunk.patterns.find(index).bounds
    return least >= 0 and most < size


def _split_bounds(index: Ints, size: Extent, here: ExecutionPoint) -> tuple[Bools, Bools]:
    """Return where an index is within bounds, and which threads are beyond them."""
    inside: Bools = (index >= 0) & (index < size)
    beyond: Bools = ~inside
    return inside, beyond if here.mask.lanes is None else beyond & here.mask.lanes


class _FirstAccess(NamedTuple):
    """The first of some threads that use an index: it, the sizes it is for, and the cell."""

    at: tuple[int, ...]
    sizes: tuple[int, ...]
    cell: int


def _case(view: View, axis: int, indices: Sequence[Vector], lanes: Bools) -> _FirstAccess:
    """Describe the first of some lanes (blocks, threads); indices start at the axis `axis`."""
    at = int(np.argmax(lanes))

    def take_first(value: Extent) -> int:
        return int(np.broadcast_to(value, lanes.shape).flat[at])

    index = tuple(map(take_first, indices))
    axes = slice(axis, axis + len(index))
    strides = map(take_first, view.strides[axes])
    cell = take_first(view.offset) + sum(map(mul, index, strides))
    return _FirstAccess(index, tuple(map(take_first, view.shape[axes])), cell)


def report_wrapped(
    view: View, indices: Sequence[Vector], wrapped: Bools, here: ExecutionPoint, axis: int = 0
) -> None:
    """Report threads with a negative index, which Numba counts from the end."""
    full = np.broadcast_to(wrapped, (here.chunk.blocks, here.chunk.threads))
    index, _, cell = _case(view, axis, indices, full)
    watched = view.buffer.watched
    written = next(number for number in index if number < 0)
    here.report(
        "warning",
        full,
        fact("finding.negative-index", index=written, array=watched.label),
        topic="negative index",
        **watched.facts(cell, index),
    )


def report_outside(
    view: View,
    indices: Sequence[Vector],
    outside: Bools,
    here: ExecutionPoint,
    axis: int = 0,
    *,
    shaped: bool = True,
) -> None:
    """Report threads whose index is out of bounds; their access is skipped.

    Args:
        indices: from the axis `axis` on.
        axis: the first that is indexed.
        shaped: True if the kernel knows the array's shape: a guard may name it.
    """
    full = np.broadcast_to(outside, (here.chunk.blocks, here.chunk.threads))
    here.chunk.charge(_REPORT + _EACH * full.size)
    index, sizes, cell = _case(view, axis, indices, full)
    watched = view.buffer.watched
    hint = None
    if watched.narrow is None:
        hint = _guard(watched.label if shaped else None, indices, sizes, full, here)
    else:  # it is said in the elements that the array has, not in those of a wide access
        each = watched.dtype.itemsize // watched.narrow.dtype.itemsize
        index, sizes = (index[0] * each,), (sizes[0] * each,)
    seen = watched.seen_at(cell)
    if seen is not watched:
        begin = seen.first * seen.cell_bytes // (watched.narrow or watched).dtype.itemsize
        index, sizes = (index[0] - begin,), (sizes[0] - begin,)
    written = str(index[0]) if len(index) == 1 else str(index)
    what = fact("finding.out-of-bounds", index=written, array=seen.label, shape=str(sizes))
    if watched.dynamic:
        given = here.chunk.launch.dynamic_bytes
        needed = _last_cell(view, axis, indices, full) * watched.dtype.itemsize
        if needed > given:
            what = fact(
                "finding.out-of-bounds.dynamic",
                index=written,
                array=watched.label,
                shape=str(sizes),
                given=given,
                needed=needed,
            )
            hint = None
    here.report("out-of-bounds", full, what, hint=hint, **seen.facts(cell, index))


def _last_cell(view: View, axis: int, indices: Sequence[Vector], lanes: Bools) -> int:
    """Return one more than the last cell that some threads access; other axes start at 0."""
    cell: Any = view.offset
    for index, stride in zip(indices, view.strides[axis:], strict=False):
        cell = cell + index * stride
    return int(np.broadcast_to(cell, lanes.shape)[lanes].max()) + 1


def _guard(
    name_of: str | None,
    indices: Sequence[Vector],
    sizes: Sequence[int],
    outside: NDArray[np.bool_],
    here: ExecutionPoint,
) -> Fact | None:
    """Advise a guard if the threads are simply those that the data have no element for.

    Whether the source has a guard is not known here. If other threads beyond the end are absent, a
    condition keeps them away.
    """
    for axis, (index, size) in enumerate(zip(indices, sizes, strict=True)):
        there = np.broadcast_to(index, outside.shape)[outside]
        if not (there >= size).all():
            continue
        for place, position in enumerate(here.chunk.position):
            all_of_them = np.broadcast_to(position, outside.shape)
            if not (all_of_them[outside] == there).all():
                continue
            end = size if name_of is None else f"{name_of}.shape[{axis}]"
            kept = here.chunk.has_others_beyond(here.mask, place, size)
            if kept and (there == size).all():
                return fact("advice.guard-off-by-one", index=size, size=end)
            return fact("advice.guard", axis="xyz"[place], size=end)
    return None


def confine(view: View, mask: Mask) -> View:
    """Confine a view to the threads of a mask: for others it has no elements."""
    if mask.lanes is None or all(isinstance(size, int) for size in view.shape):
        return view
    sizes = (
        size if isinstance(size, int) else np.where(mask.lanes, size, 0) for size in view.shape
    )
    return replace(view, shape=tuple(sizes))


def slice_view(view: View, axis: int, start: Extent, stop: Extent, step: Extent) -> View:
    """Slice a view along one axis; `start` and `stop` are within the axis already."""
    stride = view.strides[axis]
    size: Any = np.maximum(0, -((start - stop) // step))
    if np.ndim(size) == 0:
        size = int(size)
    shape = (*view.shape[:axis], size, *view.shape[axis + 1 :])
    strides = (*view.strides[:axis], stride * step, *view.strides[axis + 1 :])
    return View(view.buffer, view.offset + start * stride, shape, strides)
