"""The time of every warp, which barriers advance: what `shadow` orders accesses by.

`syncthreads` sets all warps of a block to a time later than any of them had; `syncwarp` advances a
warp's own. One whose mask names only some lanes orders only those: from then on each lane of the
chunk keeps up to which time it knows of every lane of its warp, until the next barrier.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.masks import LANES, Bools, Mask

Ints = NDArray[np.integer[Any]]


class WarpClock:
    """The time of every warp of a chunk.

    Attributes:
        timed: False for a kernel without any barrier: time then stands still.
        now: (rows, threads) the warps' times; of a warp's lanes they differ while `known` is kept.
        known: (rows, threads, 32) what a lane of the warp did before this time is ordered before
            what a thread does now; None while that is `now` for all of them.
        since: (rows, 1) time of the block's last barrier.
        grid: time of the grid's last barrier.
    """

    def __init__(self, blocks: int, threads: int, *, timed: bool) -> None:
        self.timed = timed
        self.grid = 0
        self._blocks = blocks
        self.now: Ints = np.zeros((1, threads), dtype=np.int32)
        self.known: Ints | None = None
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

    def barrier(self, mask: Mask) -> None:
        """Advance the blocks of the mask past a barrier."""
        if mask.rows > 1:
            self._separate()
        latest = self.now.max(axis=1, keepdims=True) + 1
        if self.rows == 1 or mask.rows == 1:
            self.now = np.repeat(latest, self.now.shape[1], axis=1)
            self.since = latest
            self.known = None
            return
        there = mask.by_warp.any(axis=1, keepdims=True)
        self.since = np.where(there, latest, self.since)
        self.now = np.where(there, latest, self.now)
        if self.known is not None:
            self.known = np.where(np.asarray(there)[:, :, None], latest[:, :, None], self.known)

    def warp_barrier(self, mask: Mask) -> None:
        """Advance the warps of the mask past a `syncwarp`."""
        if mask.rows > 1:
            self._separate()
        whole = np.repeat(mask.by_warp, LANES, axis=1)
        self.now = self.now + whole.astype(np.int32)
        if self.known is not None:
            self._level(whole)

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
            mask: those lanes.
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

    def grid_barrier(self) -> None:
        """Advance all threads of the grid past a barrier."""
        latest = int(self.now.max()) + 1
        self.now = np.full_like(self.now[:1], latest)
        self.since = np.full_like(self.since[:1], latest)
        self.grid = latest
        self.known = None
