"""Names the element of an array that a memory cell holds: its index, its byte address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from grader.simt.reading.types import Scalar, Space

Race = Literal["race", "global-race"]


@dataclass(frozen=True)
class WatchedArray:
    """An array and the memory it lies in, whose cells are as large as its elements.

    Attributes:
        space: whose memory it is.
        label: what the array is called.
        dtype: of its elements.
        shape: empty where indices are flat.
        strides: of each axis, in elements.
        first: the cell of the first element.
        base: what the byte address of the first element is.
        first_block: the block that threads are numbered from.
        dynamic: whether the launch gives the size.
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

    @property
    def race(self) -> Race:
        """The kind of finding that a race on it is."""
        return "global-race" if self.space == "global" else "race"

    def index(self, cell: int) -> tuple[int, ...]:
        """Return the index of a cell's element; its flat distance if there is no such element."""
        found, left = [0] * len(self.shape), cell - self.first
        axes = list(zip(range(len(self.shape)), self.shape, self.strides, strict=True))
        left -= sum((size - 1) * stride for _, size, stride in axes if stride < 0)
        for axis, size, stride in sorted(axes, key=lambda entry: -abs(entry[2])):
            if stride and size > 1:
                place, left = divmod(left, abs(stride))
                found[axis] = place if stride > 0 else size - 1 - place
        within = all(0 <= index < size for index, size in zip(found, self.shape, strict=True))
        return tuple(found) if found and within and not left else (cell - self.first,)

    def address(self, cell: int) -> int:
        """Return the byte address: in the block's shared memory, else from the first element."""
        return self.base + (cell - self.first) * self.dtype.itemsize

    def element(self, cell: int) -> str:
        """Return the element as the source writes it."""
        return f"{self.label}[{', '.join(map(str, self.index(cell)))}]"

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


def row_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the row-major strides of a shape, in elements."""
    strides = [1]
    for size in reversed(shape[1:]):
        strides.insert(0, strides[0] * size)
    return tuple(strides[: len(shape)])
