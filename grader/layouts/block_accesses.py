"""Addresses of a block's warps for an expression that is an access by itself: `tile[ty][tx]`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from grader.banks import BoolArray, IntArray
from grader.facts import Fact, fact
from grader.layouts.arithmetic import Array
from grader.layouts.errors import NotUnderstood, NoValue
from grader.layouts.source import evaluate, read
from grader.layouts.threads import Block, by_warp, check_block, lanes_there, thread_names

ONE_WARP = Block(32)
BEYOND = 1 << 48
"""Element indices are below this; a larger one has wrapped around."""


@dataclass(frozen=True, eq=False)
class BlockAccess:
    """What the warps of a block access.

    Attributes:
        parts: (warps, 32) each, the index as it is written: one, or those of row and column.
        indices: (warps, 32) element index by lane; may be negative, which hardware refuses.
        addresses: (warps, 32) the same in bytes.
        active: (warps, 32) the lanes with a thread that takes part.
    """

    parts: tuple[IntArray, ...]
    indices: IntArray
    addresses: IntArray
    active: BoolArray


def block_access(
    source: str,
    block: Block = ONE_WARP,
    *,
    element_bytes: int = 4,
    pitch: int | None = None,
    where: str = "1",
    constants: Mapping[str, int] | None = None,
) -> BlockAccess:
    """Evaluate an access for all threads of a block.

    Args:
        source: C: an element index, `tile[i]` or `tile[i][j]`, of threadIdx, blockDim, lane, warp,
            row (threadIdx.y) and col (threadIdx.x); or a Python `def index(row, col)`.
        block: threads along x, y, z.
        element_bytes: size of an element.
        pitch: elements from one row of the tile to the next; needed for two indices.
        where: the condition on which a thread takes part; in C.
        constants: numbers that can be used by name.

    Raises:
        NotUnderstood: the source is outside the language, or a pitch is missing.
        NoValue: a thread has no index; `element` is its number in the block.
        TooMuchWork: the bound was reached.
        InvalidExercise: no such block exists.
    """
    names = block_names(check_block(block))
    understood = read(source, names=names, constants=constants)
    indices = evaluate(understood, names)
    index = indices[0]
    for part in indices:
        if (beyond := np.abs(part) >= BEYOND).any():
            thread = int(np.argmax(beyond))
            raise NoValue(_describe_overflow(part[thread]), element=thread)
    if len(indices) > 1:
        if pitch is None:
            raise NotUnderstood(fact("layout.pitch-missing"))
        _check_wrap(indices[0], pitch)
        index = indices[0] * pitch + indices[1]
    _check_wrap(index, element_bytes)
    by_lane = by_warp(index, block.threads)
    active = lanes_there(block.threads)
    if where != "1":
        taking_part = evaluate(
            read(where, names=names, parameters=(), constants=constants), names, ()
        )
        if len(taking_part) > 1:
            raise NotUnderstood(fact("layout.two-numbers"))
        active &= by_warp(taking_part[0], block.threads) != 0
    parts = tuple(by_warp(part, block.threads) for part in indices)
    return BlockAccess(parts, by_lane, by_lane * element_bytes, active)


def _check_wrap(index: IntArray, size: int) -> None:
    """Check that no `index * size` wraps around.

    Raises:
        NoValue: it does in a thread.
    """
    beyond = np.abs(index) >= BEYOND // max(size, 1)
    if beyond.any():
        thread = int(np.argmax(beyond))
        raise NoValue(_describe_overflow(index[thread]), element=thread)


def _describe_overflow(index: IntArray) -> Fact:
    return fact("layout.index-too-large", index=int(index))


def block_names(block: Block) -> Mapping[str, Array]:
    """Name the coordinates of a block's threads; row is threadIdx.y and col threadIdx.x."""
    names = thread_names(block)
    own = {"row": names["threadIdx.y"], "col": names["threadIdx.x"]}
    return {**names, **{name: numbers.astype(np.int32) for name, numbers in own.items()}}
