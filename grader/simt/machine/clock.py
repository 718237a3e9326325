"""The time of every warp, which barriers advance: what `shadow` orders accesses by.

`syncthreads` sets all warps of a block to a time later than any of them had; `syncwarp` advances a
warp's own. One whose mask names only some lanes orders only those: from then on each lane of the
chunk keeps up to which time it knows of every lane of its warp, until the next barrier. In a kernel
that uses an `mbarrier` or a named barrier, each thread also has a vector clock: a time for every
warp of its cluster, which is its block alone where a launch has no clusters.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.masks import LANES, Bools, Mask, spread_in_warps

Ints = NDArray[np.integer[Any]]


class WarpClock:
    """The time of every warp of a chunk.

    Attributes:
        timed: False for a kernel without any barrier: time then stands still.
        now: (rows, threads) the warps' times; of a warp's lanes they differ while `known` is kept.
        known: (rows, threads, 32) what a lane of the warp did before this time is ordered before
            what a thread does now; None while that is `now` for all of them.
        vector: (rows, threads, warps of a cluster) what a warp of the cluster did before this time
            is ordered before what a thread does now; None while that is `since` for those of its
            block, and `grid` for others. Lanes of a warp are not distinguished: a release by one
            lane covers the whole warp.
        since: (rows, 1) time of the block's last barrier.
        grid: time of the grid's last barrier.
        cluster: the blocks of a cluster; blocks that follow each other are one.
    """

    def __init__(self, blocks: int, threads: int, *, timed: bool, cluster: int = 1) -> None:
        self.timed = timed
        self.grid = 0
        self.cluster = cluster
        self._blocks = blocks
        self.now: Ints = np.zeros((1, threads), dtype=np.int32)
        self.known: Ints | None = None
        self.vector: Ints | None = None
        self.since: Ints = np.zeros((1, 1), dtype=np.int32)

    @property
    def rows(self) -> int:
        """1 while all blocks keep the same time."""
        return len(self.now)

    def gather(self, choose: Callable[[Ints], Ints]) -> WarpClock:
        """Return the clock of some warps, which meet at no barrier and keep no lane's own time.

        Args:
            choose: from a value for each thread to that of those warps' threads.
        """
        if not self.timed:
            return WarpClock(1, LANES, timed=False)
        now, since = choose(self.now), choose(self.since)
        clock = WarpClock(*now.shape, timed=True)
        clock.now, clock.since, clock.grid = now, since, self.grid
        return clock

    def _separate(self) -> None:
        if self.rows == 1:
            self.now = np.repeat(self.now, self._blocks, axis=0)
            self.since = np.repeat(self.since, self._blocks, axis=0)
            if self.known is not None:
                self.known = np.repeat(self.known, self._blocks, axis=0)
            if self.vector is not None:
                self.vector = np.repeat(self.vector, self._blocks, axis=0)

    def release(self, mask: Mask) -> Ints:
        """Release what the threads of a mask did and acquired; the time of their warps advances.

        Returns:
            (blocks, warps of a cluster): the vector clock that an acquire merges.
        """
        self._separate()
        rows, warps = self._blocks, mask.threads // LANES
        if self.vector is None:
            self.vector = np.repeat(self._up_to(self.since, warps), mask.threads, axis=1)
        there = mask.full
        self.now = self.now + np.repeat(mask.by_warp, LANES, axis=1).astype(np.int32)
        merged = np.where(there[:, :, None], self.vector, 0).max(axis=1)
        own = self.now.reshape(rows, warps, LANES).max(axis=2)
        mine = self._columns(np.where(mask.by_warp, own, 0))
        released: Ints = np.maximum(merged, mine).astype(np.int32)
        return released

    def _columns(self, values: Ints) -> Ints:
        """Return values of each block's warps, (rows, warps), among those of its cluster's."""
        rows, warps = values.shape
        if self.cluster == 1:
            return values
        found = np.zeros((rows, self.cluster, warps), values.dtype)
        row = np.arange(rows)
        found[row, row % self.cluster] = values
        return found.reshape(rows, -1)

    def _up_to(self, times: Ints, warps: int) -> Ints:
        """Return the vector clocks of blocks up to a time, (rows, 1), each: (rows, 1, warps)."""
        each = self._columns(np.repeat(times, warps, axis=1))
        return np.maximum(each, self.grid)[:, None, :] if self.cluster > 1 else each[:, None, :]

    def acquire(self, mask: Mask, released: Ints) -> None:
        """Merge a released vector clock, (blocks, warps), into those of the threads of a mask."""
        if self.vector is not None:
            there = mask.full[:, :, None]
            self.vector = np.where(
                there, np.maximum(self.vector, released[:, None, :]), self.vector
            )

    def acting_for(self, threads: Mask) -> WarpClock:
        """Return a clock by which the lanes of a warp know what the one of them in a mask does."""
        clock = copy(self)
        for name in ("now", "known", "vector"):
            values = getattr(self, name)
            if values is not None:
                setattr(clock, name, spread_in_warps(values, threads))
        return clock

    def barrier(self, mask: Mask) -> None:
        """Advance the blocks of the mask past a barrier."""
        if mask.rows > 1:
            self._separate()
        latest = self.now.max(axis=1, keepdims=True) + 1
        if self.cluster > 1 and self.vector is not None:
            self._tell_block(mask, latest)
        if self.rows == 1 or mask.rows == 1:
            self.now = np.repeat(latest, self.now.shape[1], axis=1)
            self.since = latest
            self.known = None
            self.vector = None if self.cluster == 1 else self.vector
            return
        there = mask.by_warp.any(axis=1, keepdims=True)
        self.since = np.where(there, latest, self.since)
        self.now = np.where(there, latest, self.now)
        if self.known is not None:
            self.known = np.where(np.asarray(there)[:, :, None], latest[:, :, None], self.known)
        if self.vector is not None and self.cluster == 1:
            self.vector = np.where(np.asarray(there)[:, :, None], latest[:, :, None], self.vector)

    def _tell_block(self, mask: Mask, latest: Ints) -> None:
        """Let the threads of blocks that meet know what any of them knows of other blocks."""
        assert self.vector is not None
        known = self.vector.max(axis=1, keepdims=True)
        known = np.maximum(known, self._up_to(latest, self.vector.shape[1] // LANES))
        there = np.asarray(mask.by_warp.any(axis=1))[:, None, None]
        self.vector = np.where(there, known, self.vector)

    def warp_barrier(self, mask: Mask) -> None:
        """Advance the warps of the mask past a `syncwarp`."""
        if mask.rows > 1:
            self._separate()
        whole = np.repeat(mask.by_warp, LANES, axis=1)
        self.now = self.now + whole.astype(np.int32)
        if self.known is not None:
            self._level(whole)
        if self.vector is not None:
            self._share(mask.full)

    def _share(self, there: Bools) -> None:
        """Give the lanes of each warp that are there the merged vector clock of all of them."""
        assert self.vector is not None
        rows, threads, warps = self.vector.shape
        lanes = (rows, threads // LANES, LANES)
        there = np.broadcast_to(there, (rows, threads)).reshape(lanes)[..., None]
        own = self.vector.reshape(*lanes, warps)
        merged = np.where(there, own, 0).max(axis=2, keepdims=True)
        self.vector = np.where(there, np.maximum(own, merged), own).reshape(rows, threads, warps)

    def _level(self, whole: Bools) -> None:
        """Order all lanes of some warps with each other."""
        assert self.known is not None
        rows = self.rows
        latest = self.now.reshape(rows, -1, LANES).max(axis=2)
        latest = np.repeat(latest, LANES, axis=1).astype(np.int32)
        self.now = np.where(whole, latest, self.now)
        self.known = np.where(whole[:, :, None], latest[:, :, None], self.known)

    def lanes_barrier(self, mask: Mask, together: Bools) -> None:
        """Advance some lanes past a `syncwarp` whose mask names only some.

        Args:
            together: (warps, 32, 32) whether a lane (the second axis) meets another one there; of
                one block where all do the same.
        """
        if together.shape[0] * LANES > mask.threads:
            self._separate()
        rows = self.rows
        if len(together) * LANES < rows * mask.threads:
            together = np.tile(together, (rows, 1, 1))
        if self.known is None:
            self.known = np.repeat(self.now[:, :, None], LANES, axis=2)
        shape = (-1, LANES)
        now, here = self.now.reshape(shape), mask.full[:rows].reshape(shape)
        known = self.known.reshape(-1, LANES, LANES)
        latest = now.max(axis=1, keepdims=True) + 1
        learned = known.copy()
        for lane in range(LANES):
            met = together[:, :, lane, None]
            np.maximum(learned, np.where(met, known[:, lane, None, :], 0), out=learned)
        np.maximum(learned, np.where(together, latest[:, :, None], 0), out=learned)
        self.known = np.where(here[:, :, None], learned, known).reshape(rows, -1, LANES)
        self.now = np.where(here, latest, now).reshape(rows, -1).astype(np.int32)
        if self.vector is not None:
            self._share(mask.full)

    def grid_barrier(self) -> None:
        """Advance all threads of the grid past a barrier."""
        latest = int(self.now.max()) + 1
        self.now = np.full_like(self.now[:1], latest)
        self.since = np.full_like(self.since[:1], latest)
        self.grid = latest
        self.known = self.vector = None
