"""The sizes of a launch: from a number of a block or a thread to its (x, y, z)."""

from __future__ import annotations

from typing import NamedTuple

from grader.simt.masks import LANES

Three = tuple[int, int, int]


class Geometry(NamedTuple):
    """The grid and the block of a launch, (x, y, z) each.

    Attributes:
        order: the number of the block at each place of the order in which blocks run; None: as
            they are numbered. Threads are counted in this order, too.
    """

    grid: Three
    block: Three
    order: tuple[int, ...] | None = None

    @property
    def block_threads(self) -> int:
        """The number of threads of a block."""
        return volume(self.block)

    @property
    def padded(self) -> int:
        """The number of threads of a block, rounded up to whole warps."""
        return -(-self.block_threads // LANES) * LANES

    def block_at(self, number: int) -> Three:
        """Return (x, y, z) of a block of the grid, by its place in the order."""
        return position(number if self.order is None else self.order[number], self.grid)

    def thread_at(self, number: int) -> Three:
        """Return (x, y, z) of a thread of a block."""
        return position(number, self.block)


def volume(sizes: Three) -> int:
    """Return how many places there are."""
    x, y, z = sizes
    return x * y * z


def position(number: int, sizes: Three) -> Three:
    """Return (x, y, z) of a place; x varies fastest."""
    x, y, _ = sizes
    return number % x, number // x % y, number // (x * y)
