"""Masks: which threads of a chunk take part, how many they are, and how they are split.

Threads lie as (blocks, threads of a block), padded to whole warps. What is the same in all blocks
has one row, what is the same in all threads of a block one column: NumPy's broadcasting then makes
most of a kernel's arithmetic small. Knows nothing of values.
"""

from __future__ import annotations

from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
LANES = 32


class Mask:
    """A non-empty set of threads of a chunk.

    Attributes:
        lanes: (blocks or 1, threads); None for all.
        blocks, threads: of the chunk; threads is a multiple of 32.
    """

    def __init__(self, lanes: Bools | None, blocks: int, threads: int) -> None:
        self.lanes = lanes
        self.blocks = blocks
        self.threads = threads

    @property
    def rows(self) -> int:
        """The number of distinct rows: 1 if all blocks have the same threads in it."""
        return 1 if self.lanes is None else len(self.lanes)

    @cached_property
    def count(self) -> int:
        """The number of threads."""
        if self.lanes is None:
            return self.blocks * self.threads
        return int(np.count_nonzero(self.lanes)) * (self.blocks // self.rows)

    @cached_property
    def by_warp(self) -> Bools:
        """(rows, warps of a block): True if the warp has a thread in it."""
        if self.lanes is None:
            return np.ones((1, self.threads // LANES), dtype=np.bool_)
        return any_by_warp(self.lanes)

    @cached_property
    def warps(self) -> int:
        """The number of warps that have a thread in it."""
        if self.lanes is None:
            return self.blocks * self.threads // LANES
        return int(np.count_nonzero(self.by_warp)) * (self.blocks // self.rows)

    @cached_property
    def full(self) -> Bools:
        """(blocks, threads)."""
        if self.lanes is None:
            return np.ones((self.blocks, self.threads), dtype=np.bool_)
        return stretch(self.lanes, (self.blocks, self.threads))

    def restrict(self, lanes: Bools) -> Mask | None:
        """Return a part of the mask: itself if the part is all of it, None for no thread."""
        part = Mask(lanes, self.blocks, self.threads)
        if part.count == self.count:
            return self
        return part if part.count else None

    def split(self, holds: Bools) -> tuple[Mask | None, Mask | None]:
        """Split the threads by whether a test holds. `holds` broadcasts to the chunk."""
        if holds.size == 1:
            return (self, None) if holds[0, 0] else (None, self)
        if holds.shape[1] == 1:
            holds = np.broadcast_to(holds, (len(holds), self.threads))
        if self.lanes is None:
            yes = self.restrict(np.ascontiguousarray(holds))
        else:
            yes = self.restrict(self.lanes & holds)
        if yes is None:
            return None, self
        if yes is self:
            return self, None
        assert yes.lanes is not None  # some are missing
        no = ~yes.lanes if self.lanes is None else self.lanes ^ yes.lanes
        rest = Mask(no, self.blocks, self.threads)
        rest.count = self.count - yes.count
        return yes, rest

    def subtract(self, lanes: Bools) -> Mask | None:
        """Return the mask without some threads."""
        return self.restrict(~lanes if self.lanes is None else self.lanes & ~lanes)


def stretch(values: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """Return values in a shape that they broadcast to; NumPy takes 5 µs even if they have it."""
    return values if values.shape == shape else np.broadcast_to(values, shape)


def take_active(values: NDArray[Any], mask: Mask) -> NDArray[Any]:
    """Return one value for each thread of a mask, flat."""
    full = stretch(values, (mask.blocks, mask.threads))
    return full.reshape(-1) if mask.lanes is None else full[mask.full]


def spread_in_warps(values: NDArray[Any], threads: Mask) -> NDArray[Any]:
    """Give the lanes of each warp the value of the first of them that is in a mask.

    Args:
        values: (blocks or 1, threads), and further axes.
        threads: a warp without any of them gets the value of its first lane.
    """
    by_lane = values.reshape(len(values), -1, LANES, *values.shape[2:])
    there = threads.full[: len(values)].reshape(by_lane.shape[:3])
    lane = np.argmax(there, axis=2).reshape(*there.shape[:2], *[1] * (values.ndim - 1))
    told = np.take_along_axis(by_lane, lane, axis=2)
    return np.broadcast_to(told, by_lane.shape).reshape(values.shape)


def any_by_warp(lanes: Bools) -> Bools:
    """Reduce (rows, threads) to (rows, warps), a bit for each lane: far faster than `any`."""
    there: Bools = np.packbits(np.ascontiguousarray(lanes).reshape(-1)).view(np.uint32) != 0
    return there.reshape(len(lanes), -1)


def unite(whole: Mask, *parts: Mask | None) -> Mask | None:
    """Unite parts of a mask; return `whole` itself if they are all of it."""
    there = [part for part in parts if part is not None]
    if not there:
        return None
    if len(there) == 1:
        return there[0]
    if any(part is whole or part.lanes is None for part in there):
        return whole
    lanes = [part.lanes for part in there if part.lanes is not None]
    return whole.restrict(reduce(np.logical_or, lanes))
