"""Describes index vectors: their bounds, whether they are consecutive, the sectors they touch.

A kernel uses one index for several arrays: what is known about a vector is kept while the
vector lives. Vectors are (rows, columns) that broadcast to a chunk's (blocks, threads).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.masks import LANES, Mask

SECTOR = 32
"""Bytes that global memory hands over at least."""
_KEPT = 12

Ints = NDArray[np.int64]


class Sectors(NamedTuple):
    """The sectors of one access by a chunk, summed over its warps."""

    touched: int
    ideal: int


class ScatteredWarp(NamedTuple):
    """One warp's access: byte addresses (32,), active lanes (32,), its sectors and the ideal."""

    addresses: Ints
    active: NDArray[np.bool_]
    touched: int
    ideal: int


class Pattern:
    """One index vector. Each property is computed once."""

    def __init__(self, index: Ints) -> None:
        self.index = index
        self._bounds: tuple[int, int] | None = None
        self._run: int | None = None
        self._sectors: dict[tuple[int, int, int, int], tuple[Mask, Sectors]] = {}

    @property
    def bounds(self) -> tuple[int, int]:
        """The smallest and the largest index."""
        if self._bounds is None:
            self._bounds = int(self.index.min()), int(self.index.max())
        return self._bounds

    @property
    def run(self) -> int:
        """The first index, if the vector is consecutive; else -1."""
        if self._run is None:
            flat = self.index.ravel()
            first, last = int(flat[0]), int(flat[-1])
            goes_on = last - first == flat.size - 1 and first >= 0
            goes_on = goes_on and bool((flat[1:] - flat[:-1] == 1).all())
            self._run = first if goes_on else -1
        return self._run

    def sectors(self, mask: Mask, base: int, size: int, unit: int) -> Sectors:
        """Count the sectors that a mask touches.

        Args:
            mask: the threads.
            base: the byte address of index 0.
            size: bytes of an element.
            unit: bytes from one index to the next; less than `size` in memory of records.
        """
        key = id(mask), base % SECTOR, size, unit
        found = self._sectors.get(key)
        if found is None:
            found = self._sectors[key] = mask, self._find_sectors(mask, base % SECTOR, size, unit)
        return found[1]

    def scattered_warp(self, mask: Mask, base: int, size: int, unit: int) -> ScatteredWarp:
        """Find the warp with the most sectors; see `sectors` for the arguments."""
        shape = (max(len(self.index), mask.rows), mask.threads)
        index = np.broadcast_to(self.index, shape).reshape(-1, LANES)
        lanes = np.ones(shape, np.bool_) if mask.lanes is None else mask.lanes
        active = np.broadcast_to(lanes, shape).reshape(-1, LANES)
        sector = np.sort(np.where(active, (index * unit + base) // SECTOR, -1), axis=1)
        worst = int(np.argmax((sector[:, 1:] != sector[:, :-1]).sum(axis=1) + (sector[:, 0] >= 0)))
        addresses = index[worst] * unit + base
        first = np.unique(addresses[active[worst]])
        bytes_touched = (first[:, np.newaxis] + np.arange(size)).ravel()
        touched = len(np.unique(bytes_touched // SECTOR))
        ideal = -(-len(first) * size // SECTOR)
        return ScatteredWarp(addresses, active[worst], touched, ideal)

    def _find_sectors(self, mask: Mask, base: int, size: int, unit: int) -> Sectors:
        rows, columns = self.index.shape
        if columns == 1 and unit == size:  # all lanes of a warp on one element
            return Sectors(mask.warps, mask.warps)
        if unit == size and mask.lanes is None and self.index.size == mask.count and self.run >= 0:
            first = self.run + np.arange(0, self.index.size, LANES, dtype=np.int64)
            lowest = (first * size + base) // SECTOR
            highest = ((first + LANES) * size + base - 1) // SECTOR
            touched = int((highest - lowest + 1).sum())
            return Sectors(touched, -(-LANES * size // SECTOR) * len(first))
        rows = max(rows, mask.rows)
        index = np.broadcast_to(self.index, (rows, mask.threads)).reshape(-1, LANES)
        there = None
        if mask.lanes is not None:
            lanes = np.broadcast_to(mask.lanes, (rows, mask.threads)).reshape(-1, LANES)
            there = lanes.any(axis=1)
            index, lanes = index[there], lanes[there]
            most = np.where(lanes, index, np.iinfo(np.int64).min).max(axis=1, keepdims=True)
            index = np.where(lanes, index, most)
        step = index[:, 1:] - index[:, :-1]
        if (step < 0).any():
            index = np.sort(index, axis=1)
            step = index[:, 1:] - index[:, :-1]
        elements = 1 + (step != 0).sum(axis=1)
        sector = (index * unit + base) // SECTOR
        if unit < size:  # an element may reach into the next sector
            last = (index * unit + base + size - 1) // SECTOR
            sector = np.sort(np.concatenate([sector, last], axis=1), axis=1)
        touched = len(index) + int((sector[:, 1:] != sector[:, :-1]).sum())
        ideal = int((-(-elements * size // SECTOR)).sum())
        scale = mask.blocks // rows
        return Sectors(touched * scale, ideal * scale)


class Patterns:
    """The patterns of the vectors that were used last."""

    def __init__(self) -> None:
        self._by_id: dict[int, Pattern] = {}

    def find(self, index: NDArray[Any]) -> Pattern:
        """Return the pattern of a vector that is never changed in place."""
        found = self._by_id.get(id(index))
        if found is None:
            if len(self._by_id) >= _KEPT:
                del self._by_id[next(iter(self._by_id))]
            found = self._by_id[id(index)] = Pattern(index)
        return found
