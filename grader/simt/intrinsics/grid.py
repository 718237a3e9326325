"""A thread's position: threadIdx, blockIdx, blockDim, gridDim, grid, gridsize, laneid, warpsize."""

from __future__ import annotations

import ast
from collections.abc import Callable

import numpy as np

from grader.facts import fact
from grader.simt.machine.chunk import Chunk
from grader.simt.machine.conversion import uniform
from grader.simt.machine.frame import Frame, Value
from grader.simt.masks import LANES
from grader.simt.numba.library.calling import Special, Table, arguments, axis_count
from grader.simt.numba.typed import TypedValue
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression
from grader.simt.program.types import INT32, INT64, Tuple

_MOST_AXES = 3


def _sizes(chunk: Chunk) -> tuple[int, ...]:
    return tuple(b * g for b, g in zip(chunk.geometry.block, chunk.geometry.grid, strict=True))


def _axes(get: Callable[[Chunk, int], Value]) -> dict[str, Special]:
    return {axis: _special(get, place) for place, axis in enumerate("xyz")}


def _special(get: Callable[[Chunk, int], Value], place: int) -> Special:
    return lambda: TypedValue(INT32, lambda frame, _mask: get(frame.chunk, place))


_DIMENSIONS: dict[str, Callable[[Chunk, int], Value]] = {
    "cuda.threadIdx": lambda chunk, axis: chunk.thread_index[axis],
    "cuda.blockIdx": lambda chunk, axis: chunk.block_index[axis],
    "cuda.blockDim": lambda chunk, axis: uniform(chunk.geometry.block[axis], INT32),
    "cuda.gridDim": lambda chunk, axis: uniform(chunk.geometry.grid[axis], INT32),
}

SPECIAL: dict[str, Special] = {
    f"{name}.{axis}": special
    for name, get in _DIMENSIONS.items()
    for axis, special in _axes(get).items()
}
SPECIAL["cuda.laneid"] = lambda: TypedValue(INT32, lambda frame, _mask: frame.chunk.lane)
SPECIAL["cuda.warpsize"] = lambda: TypedValue(INT32, lambda _frame, _mask: uniform(LANES, INT32))


def _make_locator(
    name: str, get: Callable[[Chunk, int], Value]
) -> Callable[[Unit, ast.Call], Expression]:
    def make(unit: Unit, node: ast.Call) -> Expression:
        (given,) = arguments(unit, node, name, 1)
        axes = axis_count(unit, given)
        if not 1 <= axes <= _MOST_AXES:
            raise unit.refusal(node, fact("simt.axis-count", name=name))
        if axes == 1:
            return TypedValue(INT64, lambda frame, _mask: get(frame.chunk, 0))

        def evaluate(frame: Frame, _mask: object) -> Value:
            return tuple(get(frame.chunk, axis) for axis in range(axes))

        return TypedValue(Tuple((INT64,) * axes), evaluate)

    return make


CALLS: Table = {
    "cuda.grid": _make_locator("cuda.grid", lambda chunk, axis: chunk.position[axis]),
    "cuda.gridsize": _make_locator(
        "cuda.gridsize", lambda chunk, axis: np.array([[_sizes(chunk)[axis]]], dtype=np.int64)
    ),
}
