"""Barriers of a block and of a warp, fences, and waiting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from grader.simt.checks.fences import BLOCK, DEVICE, Fence
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.library.overloads import Handler, LibraryOverload, kinds, overloaded
from grader.simt.cuda.lowering.model.types import INT, VOID
from grader.simt.cuda.lowering.model.values import Plain, Value, VoidValue
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.intrinsics import barriers, participants
from grader.simt.intrinsics.functions import bits
from grader.simt.program import nodes
from grader.simt.program.nodes import Convert, Do, Expression, Perform
from grader.simt.program.types import INT32, INT64
from grader.simt.program.types import Nothing as NothingType


def perform(
    unit: CudaUnit,
    node: syntax.Call,
    name: str,
    run: Callable[..., Any],
    *operands: Expression,
    alone: bool = False,
) -> Value:
    """Emit what threads do for its effect."""
    site = unit.site(node.place)
    unit.emit(Do(Perform(NothingType(), name, run, operands, site, alone=alone)))
    return VoidValue(VOID)


def _sync_threads(unit: CudaUnit, node: syntax.Call, _given: Sequence[Plain]) -> Value:
    unit.module.program.timed = True
    return perform(unit, node, "syncthreads", barriers.meet)


def _sync_and_reduce(name: str, reduce: Callable[[Any], Any]) -> Handler:
    run = partial(barriers.meet_and_reduce, reduce=reduce)

    def lower(unit: CudaUnit, node: syntax.Call, given: Sequence[Plain]) -> Value:
        unit.module.program.timed = True
        operands = (given[0].node,)
        return unit.hold_plain(
            Plain(INT, Perform(INT32, name, run, operands, unit.site(node.place)))
        )

    return overloaded(LibraryOverload(kinds("i"), lower))


def _sync_warp(unit: CudaUnit, node: syntax.Call, given: Sequence[Plain]) -> Value:
    unit.module.program.timed = True
    members = Convert(INT64, given[0].node) if given else nodes.Number(INT64, participants.FULL)
    run = partial(participants.meet_warps, name="__syncwarp")
    return perform(unit, node, "syncwarp", run, members)


def _fence(scope: int, unit: CudaUnit, node: syntax.Call, _given: Sequence[Plain]) -> Value:
    run = barriers.make_fence(unit.module.program, Fence(scope))
    return perform(unit, node, "threadfence", run)


def _sleep(unit: CudaUnit, node: syntax.Call, given: Sequence[Plain]) -> Value:
    return perform(unit, node, "nanosleep", bits.sleep, given[0].node, alone=True)


HANDLERS: dict[str, Handler] = {
    "__syncthreads": overloaded(LibraryOverload((), _sync_threads)),
    "__syncthreads_count": _sync_and_reduce("syncthreads_count", barriers.count_true),
    "__syncthreads_and": _sync_and_reduce("syncthreads_and", barriers.all_true),
    "__syncthreads_or": _sync_and_reduce("syncthreads_or", barriers.any_true),
    "__syncwarp": overloaded(
        LibraryOverload((), _sync_warp), LibraryOverload(kinds("u"), _sync_warp)
    ),
    "__threadfence": overloaded(LibraryOverload((), partial(_fence, DEVICE))),
    "__threadfence_system": overloaded(LibraryOverload((), partial(_fence, DEVICE))),
    "__threadfence_block": overloaded(LibraryOverload((), partial(_fence, BLOCK))),
    "__nanosleep": overloaded(LibraryOverload(kinds("u"), _sleep)),
}
