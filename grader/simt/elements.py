"""Which element of an array a cell of its memory is, as the source counts it, and at which byte."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from grader.simt.types import Scalar, Space

Race = Literal["race", "global-race"]


@dataclass(frozen=True)
class Watched:
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
    """

    space: Space
    label: str
    dtype: Scalar
    shape: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()
    first: int = 0
    base: int = 0
    first_block: int = 0

    @property
    def race(self) -> Race:
        """What a race on it is called."""
        return "global-race" if self.space == "global" else "race"

    def index(self, cell: int) -> tuple[int, ...]:
        """Of a cell's element; from the first element on where the array has no such element."""
        found, left = [0] * len(self.shape), cell - self.first
        axes = list(zip(range(len(self.shape)), self.shape, self.strides, strict=True))
        left -= sum((size - 1) * stride for _, size, stride in axes if stride < 0)
        for axis, size, stride in sorted(axes, key=lambda one: -abs(one[2])):
            if stride and size > 1:
                place, left = divmod(left, abs(stride))
                found[axis] = place if stride > 0 else size - 1 - place
        within = all(0 <= one < size for one, size in zip(found, self.shape, strict=True))
        return tuple(found) if found and within and not left else (cell - self.first,)

    def address(self, cell: int) -> int:
        """Bytes: of shared memory from where the block's begins, else from the first element."""
        return self.base + (cell - self.first) * self.dtype.itemsize

    def element(self, cell: int) -> str:
        """As a message shows it."""
        return f"{self.label}[{', '.join(map(str, self.index(cell)))}]"

    def facts(self, cell: int, index: tuple[int, ...] | None = None) -> dict[str, Any]:
        """What a finding says of a cell.

        Args:
            cell: of the array's memory, or beyond it.
            index: as the source has it, where that is no element.
        """
        return {
            "array": self.label,
            "index": self.index(cell) if index is None else index,
            "address": self.address(cell),
            "space": self.space,
        }


def row_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Elements from one to the next along each axis, where the last axis is contiguous."""
    strides = [1]
    for size in reversed(shape[1:]):
        strides.insert(0, strides[0] * size)
    return tuple(strides[: len(shape)])
