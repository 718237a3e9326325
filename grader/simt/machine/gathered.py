"""Some warps of a chunk, gathered: what a loop that most threads have left goes on with.

A row is one warp, in the order of threads. Turns values and masks of the chunk into those of the
gathered warps and back. Only code runs here that does not look at other threads: no barrier, no
warp primitive, no shared or local memory. Knows nothing of variables.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.checks.shadow import Ints
from grader.simt.geometry import Three
from grader.simt.machine.chunk import Chunk, Split
from grader.simt.machine.workload import ThreadWork
from grader.simt.masks import LANES, Bools, Mask

Vector = NDArray[Any]


class GatheredChunk(Chunk):
    """The warps of a chunk that have a thread in a mask."""

    def __init__(self, source: Chunk, mask: Mask) -> None:
        each = source.threads // LANES
        warps = np.flatnonzero(np.broadcast_to(mask.by_warp, (source.blocks, each)))
        super().__init__(source.launch, source.first_block, len(warps))
        self.source = source
        self.size = source.size
        self.threads = LANES
        self._warps = warps
        self._blocks, self._warp_of_block = warps // each, warps % each
        self.clock = source.clock.gather(self.gather)
        self.work = ThreadWork(self.blocks, LANES)

    def gather(self, value: Vector) -> Vector:
        """Turn a value for each thread of the source into one for each of these."""
        rows, columns = value.shape
        if value.size == 1:
            return value
        if columns == 1:
            return value[self._blocks]
        if rows == 1:
            return value.reshape(-1, LANES)[self._warp_of_block]
        return value.reshape(-1, LANES)[self._warps]

    def gather_mask(self, mask: Mask) -> Mask:
        """Turn a mask, of threads that are all here, into one of these threads."""
        return Mask(self.gather(mask.full), self.blocks, self.threads)

    def scatter(self, value: Vector, before: Vector, *, in_place: bool = False) -> Vector:
        """Turn a value for each of these threads into one for each of the source's.

        Args:
            value: for each of these threads.
            before: the value of the others.
            in_place: `before` may be changed: nothing else refers to it.
        """
        shape, dtype = (self.source.blocks, self.source.threads), np.result_type(value, before)
        whole = before
        if not in_place or (before.shape, before.dtype) != (shape, dtype):
            whole = np.empty(shape, dtype)
            whole[...] = before
        whole.reshape(-1, LANES)[self._warps] = value
        return whole

    def scatter_mask(self, mask: Mask) -> Mask:
        """Return the same threads as a mask of the source."""
        lanes: Bools = np.zeros((self.source.blocks, self.source.threads), dtype=np.bool_)
        lanes.reshape(-1, LANES)[self._warps] = mask.full
        return Mask(lanes, self.source.blocks, self.source.threads)

    def return_work(self) -> None:
        """Add the statements of these threads to those of the source."""
        nothing = np.zeros((1, 1), dtype=np.int64)
        self.source.work.add_each(self.scatter(self.work.by_thread(), nothing))

    @cached_property
    def everyone(self) -> Mask:
        """See `Chunk`."""
        return Mask(self.gather(self.source.everyone.full), self.blocks, self.threads)

    @cached_property
    def thread_index(self) -> tuple[NDArray[np.int32], ...]:
        """See `Chunk`: (1, 1), or for each thread."""
        return tuple(map(self.gather, self.source.thread_index))

    @cached_property
    def block_index(self) -> tuple[NDArray[np.int32], ...]:
        """See `Chunk`: (1, 1), or for each warp."""
        return tuple(map(self.gather, self.source.block_index))

    @cached_property
    def position(self) -> tuple[NDArray[np.int64], ...]:
        """See `Chunk`."""
        return tuple(map(self.gather, self.source.position))

    @cached_property
    def in_grid(self) -> Ints:
        """See `Chunk`."""
        return self.gather(self.source.in_grid)

    @property
    def busiest(self) -> Split | None:
        """See `Chunk`."""
        loops = [split for split in (self.source.busiest, super().busiest) if split is not None]
        return max(loops, key=lambda split: split.rounds, default=None)

    def thread(self, lane: int) -> tuple[Three, Three]:
        """See `Chunk`."""
        warp, own = divmod(lane, LANES)
        return self.source.thread(int(self._warps[warp]) * LANES + own)

    def waits_for(self, mask: Mask) -> bool:
        """See `Chunk`."""
        gone = Mask(mask.full | self.exited, self.blocks, self.threads)
        return super().waits_for(mask) or self.source.waits_for(self.scatter_mask(gone))

    def has_others_beyond(self, mask: Mask, axis: int, size: int) -> bool:
        """See `Chunk`."""
        return self.source.has_others_beyond(self.scatter_mask(mask), axis, size)
