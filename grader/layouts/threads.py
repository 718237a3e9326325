"""The threads of a block: their indices by name, and which of them make a warp."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from grader.banks import LANES, BoolArray, IntArray
from grader.layouts.arithmetic import Array
from grader.layouts.c_types import INT, UNSIGNED, CValue, c_value
from grader.layouts.errors import InvalidExercise

MOST_THREADS = 1024


class Block(NamedTuple):
    """Threads along x, y and z. x runs fastest: a warp is 32 threads in a row of that order."""

    x: int
    y: int = 1
    z: int = 1

    @property
    def threads(self) -> int:
        """How many there are."""
        return self.x * self.y * self.z


def checked_block(block: Block) -> Block:
    """The block, if hardware has such.

    Raises:
        InvalidExercise: less than one thread, or more than 1,024.
    """
    if min(block) < 1 or block.threads > MOST_THREADS:
        shape = "×".join(map(str, block))
        raise InvalidExercise(f"a block of {shape}: 1 to {MOST_THREADS} threads are possible")
    return block


@lru_cache(maxsize=16)
def thread_names(block: Block) -> Mapping[str, CValue]:
    """What a thread can be told by, (threads,) numbers each, in the types that CUDA gives them.

    `threadIdx` and `blockDim` are unsigned; `lane`, `warp` and `warpSize` are int.
    """
    thread = np.arange(block.threads)
    where = {"x": thread % block.x, "y": thread // block.x % block.y,
             "z": thread // (block.x * block.y)}  # fmt: skip
    names = {f"threadIdx.{axis}": c_value(UNSIGNED, index) for axis, index in where.items()}
    for axis, size in zip("xyz", block, strict=True):
        names[f"blockDim.{axis}"] = c_value(UNSIGNED, size)
    names["lane"] = c_value(INT, thread % LANES)
    names["warp"] = c_value(INT, thread // LANES)
    names["warpSize"] = c_value(INT, LANES)
    return names


def by_warp(values: Array, threads: int) -> IntArray:
    """(threads,) numbers as (warps, 32); lanes without a thread get 0."""
    warps = -(-threads // LANES)
    padded = np.zeros(warps * LANES, dtype=np.int64)
    padded[:threads] = values
    return padded.reshape(warps, LANES)


def lanes_there(threads: int) -> BoolArray:
    """(warps, 32): which lanes have a thread; the last warp may be partial."""
    lanes: BoolArray = by_warp(np.ones(threads, dtype=np.int64), threads) > 0
    return lanes
