"""Where a thread is: threadIdx, blockIdx, blockDim, gridDim, grid, gridsize, laneid, warpsize."""

from __future__ import annotations

import ast
from collections.abc import Callable

import numpy as np

from grader.simt.chunk import Chunk
from grader.simt.intrinsics.calling import Maker, Special, Table, arguments, constant_of
from grader.simt.masks import LANES
from grader.simt.typed import Frame, Typed, Value, uniform
from grader.simt.types import INT32, INT64, Tuple

_MOST_AXES = 3


def _sizes(chunk: Chunk) -> tuple[int, ...]:
    return tuple(b * g for b, g in zip(chunk.launch.block, chunk.launch.grid, strict=True))


def _axes(get: Callable[[Chunk, int], Value]) -> dict[str, Special]:
    return {axis: _special(get, place) for place, axis in enumerate("xyz")}


def _special(get: Callable[[Chunk, int], Value], place: int) -> Special:
    return lambda: Typed(INT32, lambda frame, _mask: get(frame.chunk, place))


_DIMENSIONS: dict[str, Callable[[Chunk, int], Value]] = {
    "cuda.threadIdx": lambda chunk, axis: chunk.thread_index[axis],
    "cuda.blockIdx": lambda chunk, axis: chunk.block_index[axis],
    "cuda.blockDim": lambda chunk, axis: uniform(chunk.launch.block[axis], INT32),
    "cuda.gridDim": lambda chunk, axis: uniform(chunk.launch.grid[axis], INT32),
}

SPECIAL: dict[str, Special] = {
    f"{name}.{axis}": special
    for name, get in _DIMENSIONS.items()
    for axis, special in _axes(get).items()
}
SPECIAL["cuda.laneid"] = lambda: Typed(INT32, lambda frame, _mask: frame.chunk.lane)
SPECIAL["cuda.warpsize"] = lambda: Typed(INT32, lambda _frame, _mask: uniform(LANES, INT32))


def _located(name: str, get: Callable[[Chunk, int], Value]) -> Callable[[Maker, ast.Call], Typed]:
    def make(maker: Maker, node: ast.Call) -> Typed:
        (given,) = arguments(maker, node, name, 1)
        axes = constant_of(maker, given, "the number of axes")
        if not 1 <= axes <= _MOST_AXES:
            raise maker.refused(node, f"{name} takes 1, 2 or 3", f"write {name}(1)")
        if axes == 1:
            return Typed(INT64, lambda frame, _mask: get(frame.chunk, 0))

        def evaluate(frame: Frame, _mask: object) -> Value:
            return tuple(get(frame.chunk, axis) for axis in range(axes))

        return Typed(Tuple((INT64,) * axes), evaluate)

    return make


CALLS: Table = {
    "cuda.grid": _located("cuda.grid", lambda chunk, axis: chunk.position[axis]),
    "cuda.gridsize": _located(
        "cuda.gridsize", lambda chunk, axis: np.array([[_sizes(chunk)[axis]]], dtype=np.int64)
    ),
}
