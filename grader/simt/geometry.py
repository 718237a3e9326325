"""The sizes of a launch: from a number of a block or a thread to its (x, y, z)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grader.simt.masks import LANES

Three = tuple[int, int, int]


class Geometry(NamedTuple):
    """The grid and the block of a launch, (x, y, z) each.

    Attributes:
        order: the number of the block at each place of the order in which blocks run; None: as
            they are numbered. Threads are counted in this order, too. Blocks of a cluster
            follow each other in it, by their rank.
        cluster: the blocks of a cluster along each axis.
    """

    grid: Three
    block: Three
    order: tuple[int, ...] | None = None
    cluster: Three = (1, 1, 1)

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


def order_by_cluster(
    grid: Three, cluster: Three, order: Sequence[int] | None
) -> tuple[int, ...] | None:
    """Return an order of blocks in which those of a cluster follow each other, by their rank.

    Args:
        grid: a multiple of the cluster along each axis.
        cluster: the blocks of a cluster along each axis.
        order: of the blocks; clusters are in that of their first ones. None: by their numbers.
    """
    if volume(cluster) == 1 or (order is None and cluster == (cluster[0], 1, 1)):
        return None if order is None else tuple(order)
    given = range(volume(grid)) if order is None else order
    found = list[int]()
    for number in given:
        at = position(number, grid)
        if any(place % size for place, size in zip(at, cluster, strict=True)):
            continue
        for rank in range(volume(cluster)):
            x, y, z = (base + own for base, own in zip(at, position(rank, cluster), strict=True))
            found.append(x + grid[0] * (y + grid[1] * z))
    return tuple(found)


def volume(sizes: Three) -> int:
    """Return how many places there are."""
    x, y, z = sizes
    return x * y * z


def position(number: int, sizes: Three) -> Three:
    """Return (x, y, z) of a place; x varies fastest."""
    x, y, _ = sizes
    return number % x, number // x % y, number // (x * y)
