"""Numba's names of barriers and fences."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import Any

from grader.facts import fact
from grader.simt.checks.fences import BLOCK, DEVICE, Fence
from grader.simt.intrinsics import barriers
from grader.simt.intrinsics.participants import FULL, meet_warps
from grader.simt.numba.library.calling import (
    Intrinsic,
    Table,
    arguments,
    compile_whole,
    describe_mismatch,
)
from grader.simt.numba.typed import cast, constant
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression, Perform, Static
from grader.simt.program.types import INT32, INT64, Nothing, Opaque


def _syncthreads(unit: Unit, node: ast.Call) -> Expression:
    arguments(unit, node, "cuda.syncthreads", 0)
    unit.program.timed = True
    return Perform(Nothing(), "syncthreads", barriers.meet, (), unit.site(node))


def _reduction(name: str, reduce: Callable[[Any], Any]) -> Intrinsic:
    """Make a barrier that evaluates a condition over all threads of the block."""
    called = f"cuda.{name}"
    run = partial(barriers.meet_and_reduce, reduce=reduce)

    def make(unit: Unit, node: ast.Call) -> Expression:
        (given,) = arguments(unit, node, called, 1)
        unit.program.timed = True
        typed, dtype = unit.compile_number(given)
        if dtype.kind not in "iu":
            instead = fact("advice.write", code="1 if … else 0")
            raise unit.typing_error(node, describe_mismatch(called, dtype), instead)
        return Perform(INT32, name, run, (cast(typed, INT32),), unit.site(node))

    return make


def _syncwarp(unit: Unit, node: ast.Call) -> Expression:
    given = arguments(unit, node, "cuda.syncwarp", 0, 1)
    unit.program.timed = True
    members = compile_whole(unit, node, "cuda.syncwarp", given[0]) if given else constant(FULL)
    run = partial(meet_warps, name="cuda.syncwarp")
    return Perform(Nothing(), "syncwarp", run, (cast(members, INT64),), unit.site(node))


def _fence(name: str, scope: int) -> Intrinsic:
    called = f"cuda.{name}"

    def make(unit: Unit, node: ast.Call) -> Expression:
        arguments(unit, node, called, 0)
        run = barriers.make_fence(unit.program, Fence(scope))
        return Perform(Nothing(), name, run, (), unit.site(node))

    return make


def _this_grid(unit: Unit, node: ast.Call) -> Expression:
    arguments(unit, node, "cuda.cg.this_grid", 0)
    return Static(Opaque("cuda.cg.grid"))


def _grid_sync(unit: Unit, node: ast.Call) -> Expression:
    arguments(unit, node, "sync", 0)
    unit.program.timed = True
    site = unit.program.grid_sync = unit.site(node)
    return Perform(INT32, "grid sync", barriers.meet_in_grid, (), site)


CALLS: Table = {
    "cuda.syncthreads": _syncthreads,
    "cuda.syncthreads_count": _reduction("syncthreads_count", barriers.count_true),
    "cuda.syncthreads_and": _reduction("syncthreads_and", barriers.all_true),
    "cuda.syncthreads_or": _reduction("syncthreads_or", barriers.any_true),
    "cuda.syncwarp": _syncwarp,
    "cuda.threadfence": _fence("threadfence", DEVICE),
    "cuda.threadfence_block": _fence("threadfence_block", BLOCK),
    "cuda.threadfence_system": _fence("threadfence_system", DEVICE),
    "cuda.cg.this_grid": _this_grid,
    "cuda.cg.grid.sync": _grid_sync,
}
