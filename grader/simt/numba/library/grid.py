"""Numba's names of a thread's position: threadIdx, blockIdx, blockDim, gridDim, grid, gridsize."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import Any

from grader.facts import fact
from grader.simt.intrinsics import grid
from grader.simt.masks import LANES
from grader.simt.numba.library.calling import Intrinsic, Special, Table, arguments, axis_count
from grader.simt.numba.typed import constant, pack
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression, Position
from grader.simt.program.types import INT32, INT64

_AXES = "xyz"
_OF_AXIS: dict[str, Callable[..., Any]] = {
    "threadIdx": grid.thread_index,
    "blockIdx": grid.block_index,
    "blockDim": grid.block_size,
    "gridDim": grid.grid_size,
}

SPECIAL: dict[str, Special] = {
    f"cuda.{name}.{axis}": partial(Position, INT32, f"{name}.{axis}", partial(get, place))
    for name, get in _OF_AXIS.items()
    for place, axis in enumerate(_AXES)
}
SPECIAL["cuda.laneid"] = partial(Position, INT32, "laneid", grid.lane)
SPECIAL["cuda.warpsize"] = partial(constant, LANES, INT32)


def _of_axes(name: str, get: Callable[..., Any]) -> Intrinsic:
    """Make a function of a number of axes: of one it is a number, of more a tuple."""
    called = f"cuda.{name}"

    def make(unit: Unit, node: ast.Call) -> Expression:
        (given,) = arguments(unit, node, called, 1)
        axes = axis_count(unit, given)
        if not 1 <= axes <= len(_AXES):
            raise unit.refusal(node, fact("simt.axis-count", name=called))
        parts: list[Expression] = [
            Position(INT64, f"{name}.{axis}", partial(get, place))
            for place, axis in enumerate(_AXES[:axes])
        ]
        return parts[0] if axes == 1 else pack(parts)

    return make


CALLS: Table = {
    "cuda.grid": _of_axes("grid", grid.position),
    "cuda.gridsize": _of_axes("gridsize", grid.grid_threads),
}
