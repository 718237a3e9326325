"""Arrays as a kernel sees them: a buffer, an offset, a shape; and from an index to an element.

Indices are checked here, axis by axis, as Numba wraps them: a negative one counts from the end.
Knows nothing of what the memory is or of what is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from grader.simt.chunk import Chunk, Here
from grader.simt.elements import Watched
from grader.simt.masks import Bools, Mask
from grader.simt.types import Scalar

Vector = NDArray[Any]
Ints = NDArray[np.int64]
Extent = int | Ints
"""A size or an offset: one for all threads, or one each."""
_REPORT, _EACH = 50_000, 20
"""Operations of a report, and for each thread that may be concerned."""
_NOBODY: Bools = np.zeros((1, 1), dtype=np.bool_)


class Buffer(Protocol):
    """Some memory. `index` is flat, in elements, (rows, columns), and within bounds.

    Attributes:
        watched: what its cells are.
    """

    watched: Watched
    dtype: Scalar

    def load(self, index: Ints, here: Here) -> Vector:
        """What the threads here read; anything for the others."""

    def store(self, index: Ints, value: Vector, here: Here) -> None:
        """Write."""

    def atomic(self, index: Ints, here: Here, update: AtomicUpdate) -> Vector:
        """Read, change and write, one thread after the other; what each one read."""


@dataclass(frozen=True, eq=False)
class AtomicUpdate:
    """What an atomic does.

    Attributes:
        apply: from the old values and the operands to the new values, elementwise.
        operands: one or two vectors.
        whole: the ufunc that does it to many at once, if there is one.
        kind: of `grader.banks`.
        used: whether the kernel uses what was there before.
        keeps_nan: whether a NaN in memory stays; `whole` knows only of NaN among the operands.
    """

    apply: Callable[..., Vector]
    operands: tuple[Vector, ...]
    whole: np.ufunc | None
    kind: str
    used: bool
    keeps_nan: bool = False


@dataclass(frozen=True, eq=False)
class View:
    """An array or a part of one. Strides are in elements."""

    buffer: Buffer
    offset: Extent
    shape: tuple[Extent, ...]
    strides: tuple[Extent, ...]


def located(view: View, indices: Sequence[Vector], here: Here) -> tuple[Ints | None, Mask | None]:
    """The flat index of an element for each thread, and the threads that are within bounds.

    Args:
        view: what is indexed.
        indices: one vector of whole numbers for each axis.
        here: who asks, and where; what is out of bounds is reported.
    """
    flat: Any = None
    outside, wrapped = _NOBODY, _NOBODY
    for index, size, stride in zip(indices, view.shape, view.strides, strict=True):
        whole, beyond, wraps = within(index, size, here)
        if beyond is not None:
            outside = outside | beyond
        if wraps is not None:
            wrapped = wrapped | wraps
        part = whole if isinstance(stride, int) and stride == 1 else whole * stride
        flat = part if flat is None else flat + part
    if flat is None:
        flat = np.zeros((1, 1), dtype=np.int64)
    if not isinstance(view.offset, int) or view.offset:
        flat = flat + view.offset
    if wrapped is not _NOBODY:
        report_wrapped(view, indices, wrapped, here)
    if outside is _NOBODY:
        return flat, here.mask
    report_outside(view, indices, outside, here)
    left = here.mask.without(np.broadcast_to(outside, (len(outside), here.mask.threads)))
    flat = np.where(outside, 0, flat)
    return (flat, left) if left is not None else (None, None)


class Within(NamedTuple):
    """An index along an axis: wrapped, 0 where it is of no concern; who is beyond, who wrapped."""

    whole: Ints
    beyond: Bools | None = None
    wrapped: Bools | None = None


def within(index: Vector, size: Extent, here: Here) -> Within:
    """An index along an axis of so many elements; negative ones count from its end."""
    whole = index if index.dtype == np.int64 else index.astype(np.int64)
    if isinstance(size, int):
        least, most = here.chunk.patterns.of(whole).bounds
        if least >= 0 and most < size:
            return Within(whole)
    inside = (whole >= 0) & (whole < size)
    beyond: Bools = ~inside
    if here.mask.lanes is not None:
        beyond = beyond & here.mask.lanes
    wrapped: Bools | None = None
    if beyond.any() and index.dtype.kind != "u":
        wrapped = beyond & (whole < 0) & (whole >= -size)
        whole = np.where(wrapped, whole + size, whole)
        inside = inside | wrapped
        beyond = beyond & ~wrapped
        wrapped = wrapped if wrapped.any() else None
    whole = np.where(inside, whole, 0)
    return Within(whole, beyond if beyond.any() else None, wrapped)


class _Case(NamedTuple):
    """The first of some threads that use an index: it, the sizes it is for, and the cell."""

    at: tuple[int, ...]
    sizes: tuple[int, ...]
    cell: int


def _case(view: View, axis: int, indices: Sequence[Vector], lanes: Bools) -> _Case:
    """Of lanes (blocks, threads); the indices are for the axes from `axis` on."""
    at = int(np.argmax(lanes))

    def single(value: Extent) -> int:
        return int(np.broadcast_to(value, lanes.shape).flat[at])

    index = tuple(map(single, indices))
    axes = slice(axis, axis + len(index))
    strides = map(single, view.strides[axes])
    cell = single(view.offset) + sum(map(mul, index, strides))
    return _Case(index, tuple(map(single, view.shape[axes])), cell)


def report_wrapped(
    view: View, indices: Sequence[Vector], wrapped: Bools, here: Here, axis: int = 0
) -> None:
    """Threads with a negative index, which Numba counts from the end."""
    full = np.broadcast_to(wrapped, (here.chunk.blocks, here.chunk.threads))
    index, _, cell = _case(view, axis, indices, full)
    watched = view.buffer.watched
    written = next(one for one in index if one < 0)
    here.report(
        "warning",
        full,
        f"a negative index ({written}) counts from the end of {watched.label} in Numba; "
        "CUDA C++ would read before it",
        topic="negative index",
        **watched.facts(cell, index),
    )


def report_outside(
    view: View, indices: Sequence[Vector], outside: Bools, here: Here, axis: int = 0
) -> None:
    """Threads whose index is not there; the bad access is skipped, the rest goes on."""
    full = np.broadcast_to(outside, (here.chunk.blocks, here.chunk.threads))
    here.chunk.charge(_REPORT + _EACH * full.size)
    index, sizes, cell = _case(view, axis, indices, full)
    watched = view.buffer.watched
    written = str(index[0]) if len(index) == 1 else str(index)
    here.report(
        "out-of-bounds",
        full,
        f"index {written} is outside of {watched.label}, whose shape is {sizes}",
        hint=_guard(watched.label, indices, sizes, full, here.chunk),
        **watched.facts(cell, index),
    )


def _guard(
    name_of: str,
    indices: Sequence[Vector],
    sizes: Sequence[int],
    outside: NDArray[np.bool_],
    chunk: Chunk,
) -> str:
    """Whether the threads in question are simply those that the data have no element for."""
    for axis, (index, size) in enumerate(zip(indices, sizes, strict=True)):
        there = np.broadcast_to(index, outside.shape)[outside]
        if not (there >= size).all():
            continue
        for name, position in zip("xyz", chunk.position, strict=True):
            own = np.broadcast_to(position, outside.shape)[outside]
            if (own == there).all():
                return (
                    f"guard missing: more threads than elements along {name}; "
                    f"write if i < {name_of}.shape[{axis}]: before it"
                )
    return ""


def sliced(view: View, axis: int, start: Extent, stop: Extent, step: Extent) -> View:
    """A part along one axis; `start` and `stop` are within the axis already."""
    stride = view.strides[axis]
    size: Any = np.maximum(0, -((start - stop) // step))
    if np.ndim(size) == 0:
        size = int(size)
    shape = (*view.shape[:axis], size, *view.shape[axis + 1 :])
    strides = (*view.strides[:axis], stride * step, *view.strides[axis + 1 :])
    return View(view.buffer, view.offset + start * stride, shape, strides)
