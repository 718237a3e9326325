"""Arrays as a kernel sees them: a buffer, an offset, a shape; and from an index to an element.

Indices are checked here, axis by axis, as Numba wraps them: a negative one counts from the end.
Knows nothing of what the memory is or of what is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from grader.simt.chunk import Chunk, Here
from grader.simt.masks import Mask
from grader.simt.types import Scalar

Vector = NDArray[Any]
Ints = NDArray[np.int64]
Extent = int | Ints
"""A size or an offset: one for all threads, or one each."""


class Buffer(Protocol):
    """Some memory. `index` is flat, in elements, (rows, columns), and within bounds.

    Attributes:
        label: what the array is called.
    """

    label: str
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
    outside: NDArray[np.bool_] | None = None
    checked = []
    for axis, (index, size) in enumerate(zip(indices, view.shape, strict=True)):
        whole, beyond = within(index, size, here, view.buffer.label)
        checked.append(whole)
        if beyond is not None:
            outside = beyond if outside is None else outside | beyond
        stride = view.strides[axis]
        part = whole if isinstance(stride, int) and stride == 1 else whole * stride
        flat = part if flat is None else flat + part
    if flat is None:
        flat = np.zeros((1, 1), dtype=np.int64)
    if not isinstance(view.offset, int) or view.offset:
        flat = flat + view.offset
    if outside is None:
        return flat, here.mask
    report_outside(view.buffer.label, indices, view.shape, outside, here)
    left = here.mask.without(np.broadcast_to(outside, (len(outside), here.mask.threads)))
    flat = np.where(outside, 0, flat)
    return (flat, left) if left is not None else (None, None)


def within(
    index: Vector, size: Extent, here: Here, label: str
) -> tuple[Ints, NDArray[np.bool_] | None]:
    """An index with negative ones wrapped, 0 for those of no concern; and which are beyond."""
    whole = index if index.dtype == np.int64 else index.astype(np.int64)
    if isinstance(size, int):
        least, most = here.chunk.patterns.of(whole).bounds
        if least >= 0 and most < size:
            return whole, None
    inside = (whole >= 0) & (whole < size)
    beyond: NDArray[np.bool_] = ~inside
    if here.mask.lanes is not None:
        beyond = beyond & here.mask.lanes
    if beyond.any() and index.dtype.kind != "u":
        wraps = beyond & (whole < 0) & (whole >= -size)
        if wraps.any():
            first = int(np.broadcast_to(whole, wraps.shape)[wraps][0])
            here.report(
                "warning",
                wraps,
                f"a negative index ({first}) counts from the end of {label} in Numba; "
                "CUDA C++ would read before it",
                topic="negative index",
                array=label,
            )
            whole = np.where(wraps, whole + size, whole)
            inside = inside | wraps
            beyond = beyond & ~wraps
    whole = np.where(inside, whole, 0)
    return whole, beyond if beyond.any() else None


def report_outside(
    label: str,
    indices: Sequence[Vector],
    extents: Sequence[Extent],
    outside: NDArray[np.bool_],
    here: Here,
) -> None:
    """Threads whose index is not there; the bad access is skipped, the rest goes on."""
    chunk = here.chunk
    shape = (chunk.blocks, chunk.threads)
    full = np.broadcast_to(outside, shape)
    at = int(np.argmax(full))
    index = tuple(int(np.broadcast_to(one, shape).flat[at]) for one in indices)
    sizes = tuple(
        size if isinstance(size, int) else int(np.broadcast_to(size, shape).flat[at])
        for size in extents
    )
    written = str(index[0]) if len(index) == 1 else str(index)
    shown = f"({sizes[0]},)" if len(sizes) == 1 else str(sizes)
    here.report(
        "out-of-bounds",
        full,
        f"index {written} is outside of {label}, whose shape is {shown}",
        array=label,
        index=index,
        hint=_guard(indices, sizes, full, chunk),
    )


def _guard(
    indices: Sequence[Vector], sizes: Sequence[int], outside: NDArray[np.bool_], chunk: Chunk
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
                    f"write if i < {size}: before it (axis {axis})"
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
