"""The threads of a block: their indices by name, and their warps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from grader.banks import LANES, BoolArray, IntArray
from grader.facts import fact
from grader.layouts.arithmetic import Array
from grader.layouts.errors import InvalidExercise

MOST_THREADS = 1024


class Block(NamedTuple):
    """Threads along x, y and z. x runs fastest: a warp is 32 threads in a row of that order."""

    x: int
    y: int = 1
    z: int = 1

    @property
    def threads(self) -> int:
        """The number of threads."""
        return self.x * self.y * self.z


def check_block(block: Block) -> Block:
    """Return the block if hardware can run it.

    Raises:
        InvalidExercise: less than one thread, or more than 1,024.
    """
    if min(block) < 1 or block.threads > MOST_THREADS:
        shape = "×".join(map(str, block))
        raise InvalidExercise(fact("tile.block-size", shape=shape, most=MOST_THREADS))
    return block


@lru_cache(maxsize=16)
def thread_names(block: Block) -> Mapping[str, Array]:
    """Name the coordinates of all threads, (threads,) numbers each, in the types of CUDA.

    `threadIdx` and `blockDim` are unsigned; `lane`, `warp` and `warpSize` are int.
    """
    thread = np.arange(block.threads)
    where = {"x": thread % block.x, "y": thread // block.x % block.y,
             "z": thread // (block.x * block.y)}  # fmt: skip
    names = {f"threadIdx.{axis}": index.astype(np.uint32) for axis, index in where.items()}
    for axis, size in zip("xyz", block, strict=True):
        names[f"blockDim.{axis}"] = np.array([size], np.uint32)
    names["lane"] = (thread % LANES).astype(np.int32)
    names["warp"] = (thread // LANES).astype(np.int32)
    names["warpSize"] = np.array([LANES], np.int32)
    return names


def by_warp(values: Array, threads: int) -> IntArray:
    """Reshape (threads,) numbers to (warps, 32); lanes without a thread get 0."""
    warps = -(-threads // LANES)
    padded = np.zeros(warps * LANES, dtype=np.int64)
    padded[:threads] = values
    return padded.reshape(warps, LANES)


def lanes_there(threads: int) -> BoolArray:
    """Find the lanes with a thread, (warps, 32); the last warp may be partial."""
    lanes: BoolArray = by_warp(np.ones(threads, dtype=np.int64), threads) > 0
    return lanes
