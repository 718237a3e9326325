"""Values that CUDA C++ has without a declaration: where a thread is in the grid, and its sizes.

Also what enumerations of its headers name: a compiler of device code is to read these names.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from grader.simt.cuda.lowering.model.types import DIM3, INT, UINT3, UNSIGNED, StructType
from grader.simt.cuda.lowering.model.values import Aggregate, Plain, Value
from grader.simt.intrinsics import grid
from grader.simt.program import nodes
from grader.simt.program.nodes import Position
from grader.simt.program.types import INT32, UINT32

_TRIPLES: dict[str, tuple[StructType, Any, Any]] = {
    "threadIdx": (UINT3, grid.unsigned_thread_index, lambda at, sizes: (0, sizes.block[at] - 1)),
    "blockIdx": (UINT3, grid.unsigned_block_index, lambda at, sizes: (0, sizes.grid[at] - 1)),
    "blockDim": (DIM3, grid.unsigned_block_size, lambda at, sizes: (sizes.block[at],) * 2),
    "gridDim": (DIM3, grid.unsigned_grid_size, lambda at, sizes: (sizes.grid[at],) * 2),
}
"""The type, what gets a member, and its bounds in a launch."""

_ENUMERATORS = {"__NV_NOSAT": 0, "__NV_SATFINITE": 1, "__NV_E4M3": 0, "__NV_E5M2": 1}


def find(name: str) -> Value | None:
    """Return a value that has a name, such as `threadIdx`; None if there is none of this name."""
    if name == "warpSize":
        return Plain(INT, nodes.Number(INT32, 32))
    if name in _ENUMERATORS:
        return Plain(UNSIGNED, nodes.Number(UINT32, _ENUMERATORS[name]))
    if name not in _TRIPLES:
        return None
    kind, get, bounds = _TRIPLES[name]
    members = (
        Plain(UNSIGNED, Position(UINT32, f"{name}.{axis}", partial(get, at), partial(bounds, at)))
        for at, axis in enumerate("xyz")
    )
    return Aggregate(kind, tuple(members))
