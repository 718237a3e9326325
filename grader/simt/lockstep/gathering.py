"""Runs the rest of a loop for the warps that are still in it, once many have left.

A warp whose threads have all left would be computed with and thrown away. Where nothing in a loop
looks at other threads, its variables are gathered, and scattered when all have left. What is
counted is the same: a row of the gathered values is one warp, and warps keep their order.
"""

from __future__ import annotations

import numpy as np

from grader.simt.machine.frame import Frame, LoopMasks, Value
from grader.simt.machine.gathered import GatheredChunk
from grader.simt.masks import LANES, Mask
from grader.simt.memory.choices import ArrayChoice
from grader.simt.memory.views import Extent, View

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
