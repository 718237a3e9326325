"""The time of every warp, which barriers advance: what `shadow` orders accesses by.

`syncthreads` sets all warps of a block to a time later than any of them had; `syncwarp` advances a
warp's own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.masks import LANES, Mask

Ints = NDArray[np.integer[Any]]


class Clock:
    """The time of every warp of a chunk.

    Attributes:
        timed: False for a kernel without any barrier: time then stands still.
        now: (rows, threads) the warps' times.
        since: (rows, 1) time of the block's last barrier.
        grid: time of the grid's last barrier.
    """

    def __init__(self, blocks: int, threads: int, *, timed: bool) -> None:
        self.timed = timed
        self.grid = 0
        self._blocks = blocks
        self.now: Ints = np.zeros((1, threads), dtype=np.int32)
        self.since: Ints = np.zeros((1, 1), dtype=np.int32)

    @property
    def rows(self) -> int:
        """1 while all blocks keep the same time."""
        return len(self.now)

    def _apart(self) -> None:
        if self.rows == 1:
            self.now = np.repeat(self.now, self._blocks, axis=0)
            self.since = np.repeat(self.since, self._blocks, axis=0)

    def barrier(self, mask: Mask) -> None:
        """The blocks of the mask are at a barrier."""
        if mask.rows > 1:
            self._apart()
        latest = self.now.max(axis=1, keepdims=True) + 1
        if self.rows == 1 or mask.rows == 1:
            self.now = np.repeat(latest, self.now.shape[1], axis=1)
            self.since = latest
            return
        there = mask.by_warp.any(axis=1, keepdims=True)
        self.since = np.where(there, latest, self.since)
        self.now = np.where(there, latest, self.now)

    def warp_barrier(self, mask: Mask) -> None:
        """The warps of the mask are at a `syncwarp`."""
        if mask.rows > 1:
            self._apart()
        self.now = self.now + np.repeat(mask.by_warp, LANES, axis=1).astype(np.int32)

    def grid_barrier(self) -> None:
        """All threads of the grid are at a barrier."""
        latest = int(self.now.max()) + 1
        self.now = np.full_like(self.now[:1], latest)
        self.since = np.full_like(self.since[:1], latest)
        self.grid = latest
