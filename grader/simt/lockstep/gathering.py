"""Runs the rest of a loop for the warps that are still in it, once many have left.

A warp whose threads have all left would be computed with and thrown away. Where nothing in a loop
looks at other threads, its variables are gathered, and scattered when all have left. What is
counted is the same: a row of the gathered values is one warp, and warps keep their order.
Of the chunk, only what looks at no other thread is there: no barrier, no warp primitive, no shared
or local memory.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.checks.shadow import Ints
from grader.simt.geometry import Three
from grader.simt.machine.chunk import Chunk, Split
from grader.simt.machine.frame import Frame, LoopMasks, Value
from grader.simt.machine.workload import ThreadWork
from grader.simt.masks import LANES, Bools, Mask
from grader.simt.memory.choices import ArrayChoice
from grader.simt.memory.views import Extent, View

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


Names = frozenset[str]
DENSE = 0.75
"""The share of warps in a loop above which they stay where they are."""
FEWEST = 4096
"""Threads of a chunk; with fewer, an operation takes NumPy's own time."""


def is_sparse(frame: Frame, mask: Mask) -> bool:
    """Return True if so few warps of a chunk are in a mask that gathering them pays."""
    chunk = frame.chunk
    whole = chunk.blocks * chunk.threads
    if mask.rows == 1 or whole < FEWEST or mask.warps * LANES >= DENSE * whole:
        return False
    return chunk.launch.poison is None and chunk.clock.known is None


class GatheredFrame:
    """The frame of a loop, for the warps of a mask.

    Args:
        named: the variables that the loop names.
        left: those that are needed once threads have left it.

    Attributes:
        frame: with the loop's variables; its `loops` has the loop.
    """

    def __init__(self, source: Frame, mask: Mask, named: Names, left: Names) -> None:
        self._source = source
        self._left = left
        self._chunk = GatheredChunk(source.chunk, mask)
        self._values = {
            name: self.gather(value) for name, value in source.values.items() if name in named
        }
        self._result = self.gather(source.result)
        self.frame = Frame(
            self._chunk, dict(self._values), [LoopMasks()], self._result, depth=source.depth
        )
        self.mask = self._chunk.gather_mask(mask)

    def gather(self, value: Value) -> Value:
        """Turn a value for each thread into one for each thread of the gathered warps."""
        gather = self._chunk.gather
        match value:
            case np.ndarray():
                return gather(value)
            case tuple():
                return tuple(map(self.gather, value))
            case View(buffer, offset, shape, strides):
                return View(buffer, self._place(offset), self._places(shape), self._places(strides))
            case ArrayChoice(views, which):
                return ArrayChoice(self.gather(views), gather(which))
            case _:
                return value

    def _place(self, extent: Extent) -> Extent:
        return extent if isinstance(extent, int) else self._chunk.gather(extent)

    def _places(self, extents: tuple[Extent, ...]) -> tuple[Extent, ...]:
        return tuple(map(self._place, extents))

    def return_work(self) -> None:
        """Add the statements to those of the source, of threads that do not come back."""
        self._chunk.return_work()

    def put_back(self) -> None:
        """Set the variables, the result, and the threads that left, of the source."""
        source = self._source
        for name in self._left:
            value = self.frame.values.get(name)
            if value is not self._values.get(name):
                source.values[name] = self._scatter(value, source.values.get(name))
        if self.frame.result is not self._result:
            own = source.owns_result
            source.result = self._scatter(self.frame.result, source.result, in_place=own)
            source.owns_result = isinstance(source.result, np.ndarray)
        own_loop, loop = self.frame.loops[-1], source.loops[-1]
        loop.broken += map(self._chunk.scatter_mask, own_loop.broken)
        self.return_work()
        for mask, site in self._chunk.returned:
            source.chunk.returned.append((self._chunk.scatter_mask(mask), site))

    def scatter_mask(self, mask: Mask) -> Mask:
        """Return the same threads as a mask of the source."""
        return self._chunk.scatter_mask(mask)

    def _scatter(self, value: Value, before: Value, *, in_place: bool = False) -> Value:
        """Turn a value back; the other threads keep the one before."""
        if isinstance(value, tuple):
            others = (None,) * len(value) if before is None else before
            return tuple(self._scatter(*part) for part in zip(value, others, strict=True))
        if not isinstance(value, np.ndarray):
            return before  # an array that is set and used within the loop
        if before is None:
            before = np.zeros((1, 1), value.dtype)
        return self._chunk.scatter(value, before, in_place=in_place)
