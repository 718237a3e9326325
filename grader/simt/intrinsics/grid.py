"""A thread's place in the grid, and the sizes of block and grid: what `nodes.Position` gets.

Each takes an axis, 0 to 2 for x, y and z, then the chunk.
"""

from __future__ import annotations

from functools import lru_cache

from grader.simt.machine.chunk import Chunk
from grader.simt.machine.conversion import uniform
from grader.simt.machine.frame import Value
from grader.simt.program.types import BOOL, INT32, INT64, UINT32, Scalar


def thread_index(axis: int, chunk: Chunk) -> Value:
    """Return threadIdx, int32."""
    return chunk.thread_index[axis]


def block_index(axis: int, chunk: Chunk) -> Value:
    """Return blockIdx, int32."""
    return chunk.block_index[axis]


def block_size(axis: int, chunk: Chunk) -> Value:
    """Return blockDim, int32."""
    return _of_all(chunk.geometry.block[axis], INT32)


def grid_size(axis: int, chunk: Chunk) -> Value:
    """Return gridDim, in blocks, int32."""
    return _of_all(chunk.geometry.grid[axis], INT32)


def unsigned_thread_index(axis: int, chunk: Chunk) -> Value:
    """Return threadIdx, uint32: of a chunk always the same vector."""
    return chunk.unsigned_thread_index[axis]


def unsigned_block_index(axis: int, chunk: Chunk) -> Value:
    """Return blockIdx, uint32: of a chunk always the same vector."""
    return chunk.unsigned_block_index[axis]


def unsigned_block_size(axis: int, chunk: Chunk) -> Value:
    """Return blockDim, uint32."""
    return _of_all(chunk.geometry.block[axis], UINT32)


def unsigned_grid_size(axis: int, chunk: Chunk) -> Value:
    """Return gridDim, in blocks, uint32."""
    return _of_all(chunk.geometry.grid[axis], UINT32)


def position(axis: int, chunk: Chunk) -> Value:
    """Return the thread's number along an axis of the whole grid, int64."""
    return chunk.position[axis]


def grid_threads(axis: int, chunk: Chunk) -> Value:
    """Return the threads along an axis of the whole grid, int64."""
    return _of_all(chunk.geometry.block[axis] * chunk.geometry.grid[axis], INT64)


@lru_cache(maxsize=64)
def _of_all(size: int, dtype: Scalar) -> Value:
    """Return a size as a vector, kept: to make one takes 4 µs, several times an operation on it."""
    return uniform(size, dtype)


def is_cooperative(chunk: Chunk) -> Value:
    """Return whether the launch lets the whole grid synchronize."""
    return _of_all(int(chunk.launch.cooperative), BOOL)


def lane(chunk: Chunk) -> Value:
    """Return the place in the warp, int32."""
    return chunk.lane
