"""Names what of an array a memory cell holds: index, field of a record, byte address."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from grader.simt.program.types import Scalar, Space

Race = Literal["race", "global-race"]


class PointerInto(NamedTuple):
    """A parameter that points into memory that others point into as well.

    Attributes:
        start: the byte that it points to.
        stored: whether the kernel writes through it.
    """

    start: int
    stored: bool
    label: str


@dataclass(frozen=True)
class WatchedArray:
    """An array and the memory it lies in, whose cells are as large as its elements.

    In the memory of records, a cell is where a field may begin: see `unit`.

    Attributes:
        space: whose memory it is.
        shape: empty where indices are flat.
        strides: of each axis, in cells.
        first: the cell of the first element.
        base: what the byte address of the first element is.
        first_block: the block that threads are numbered from.
        dynamic: whether the launch gives the size.
        unit: bytes from one cell to the next; 0: those of an element.
        record: the dtype of the array's elements, where these cells are fields of them.
        narrow: the array itself, where wider elements than its own are accessed in its memory.
        pointers: the parameters that point into it, if there are several.
    """

    space: Space
    label: str
    dtype: Scalar
    shape: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()
    first: int = 0
    base: int = 0
    first_block: int = 0
    dynamic: bool = False
    unit: int = 0
    record: Scalar | None = None
    narrow: WatchedArray | None = None
    pointers: tuple[PointerInto, ...] = ()

    @property
    def cell_bytes(self) -> int:
        """The bytes from one cell to the next."""
        return self.unit or self.dtype.itemsize

    @property
    def race(self) -> Race:
        """The kind of finding that a race on it is."""
        return "global-race" if self.space == "global" else "race"

    def seen_at(self, cell: int, *, written: bool = False) -> WatchedArray:
        """Return what begins where the parameter points through which a cell is likely accessed.

        An access does not say which one that was: it is the last to begin before the cell, among
        those that the kernel writes through where the cell is `written`.
        """
        around = [each for each in self.pointers if each.stored or not written] or self.pointers
        if not around:
            return self
        before = [each for each in around if each.start <= cell * self.cell_bytes]
        found = max(before, key=lambda each: each[:2]) if before else min(around)
        row = self.strides[0] * self.cell_bytes
        if found.start % row:  # its elements are none of these
            return self
        shape = (self.shape[0] - found.start // row, *self.shape[1:])
        first = found.start // self.cell_bytes
        return replace(self, label=found.label, first=first, shape=shape, pointers=())

    def index(self, cell: int) -> tuple[int, ...]:
        """Return the index of a cell's element; its flat distance if there is no such element."""
        found, left = self._locate(cell)
        within = all(0 <= index < size for index, size in zip(found, self.shape, strict=True))
        size = 1 if self.record is None else self.record.itemsize // self.cell_bytes
        return tuple(found) if found and within and 0 <= left < size else (cell - self.first,)

    def _locate(self, cell: int) -> tuple[list[int], int]:
        """Return an index, and the cells from its element to a cell."""
        found, left = [0] * len(self.shape), cell - self.first
        axes = list(zip(range(len(self.shape)), self.shape, self.strides, strict=True))
        left -= sum((size - 1) * stride for _, size, stride in axes if stride < 0)
        for axis, size, stride in sorted(axes, key=lambda entry: -abs(entry[2])):
            if stride and size > 1:
                place, left = divmod(left, abs(stride))
                found[axis] = place if stride > 0 else size - 1 - place
        return found, left

    def address(self, cell: int) -> int:
        """Return the byte address: in the block's shared memory, else from the first element."""
        return self.base + (cell - self.first) * self.cell_bytes

    def element(self, cell: int) -> str:
        """Return the element as the source writes it."""
        index = f"[{', '.join(map(str, self.index(cell)))}]"
        if self.record is None:
            return f"{self.label}{index}"
        field = field_at(self.record, self._locate(cell)[1] * self.cell_bytes)
        return f"{self.label}{index if self.shape else ''}{field}"

    def facts(self, cell: int, index: tuple[int, ...] | None = None) -> dict[str, Any]:
        """Return what a finding says of a cell.

        Args:
            cell: of the array's memory, or beyond it.
            index: as the source has it, if that is not an element.
        """
        return {
            "array": self.label,
            "index": self.index(cell) if index is None else index,
            "address": self.address(cell),
            "space": self.space,
        }


def row_major(
    space: Space, label: str, dtype: Scalar, shape: tuple[int, ...], **more: Any
) -> WatchedArray:
    """Describe an array without gaps; the cells of one of records are bytes."""
    cells = dtype.itemsize if dtype.names else 1
    strides = tuple(stride * cells for stride in row_strides(shape))
    return WatchedArray(space, label, dtype, shape, strides, unit=dtype.itemsize // cells, **more)


def row_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the row-major strides of a shape, in elements."""
    strides = [1]
    for size in reversed(shape[1:]):
        strides.insert(0, strides[0] * size)
    return tuple(strides[: len(shape)])


def field_at(record: Scalar, offset: int) -> str:
    """Write the field of a record that begins at a byte: `.x`, `.p[2].y`; "" for padding."""
    for name in record.names or ():
        dtype, start = record.fields[name][:2]  # type: ignore[index]
        if not start <= offset < start + dtype.itemsize:
            continue
        base, shape = dtype.subdtype or (dtype, ())
        place, left = divmod(offset - start, base.itemsize)
        index = ", ".join(map(str, np.unravel_index(place, shape))) if shape else ""
        return f".{name}{f'[{index}]' if shape else ''}{field_at(base, left)}"
    return ""
