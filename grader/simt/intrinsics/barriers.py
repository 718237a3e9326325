"""Barriers and fences: the threads that are missing at them, and what they order."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.facts import Fact, fact
from grader.simt.checks.counters import Site
from grader.simt.checks.findings import Finding
from grader.simt.intrinsics.participants import FULL, meet_warps
from grader.simt.machine.chunk import Chunk, ExecutionPoint
from grader.simt.machine.frame import Frame, Value
from grader.simt.masks import Bools, Mask
from grader.simt.numba.library.calling import Intrinsic, Table, arguments, describe_mismatch
from grader.simt.numba.typed import TypedValue, cast
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression
from grader.simt.program.types import INT32, INT64, Nothing, Opaque

_WHOLE_WARP = np.array([[FULL]], dtype=np.int64)


_COUNTS_THREADS = 7
"""From this compute capability on, a barrier waits for the threads that have not exited."""


def meet(chunk: Chunk, mask: Mask, site: Site, *, whole_grid: bool = False) -> None:
    """Let the threads of a mask meet at a barrier of their blocks, or of the grid."""
    site.counts["barriers"] += mask.warps
    if mask.count != chunk.everyone.count:
        missing = chunk.everyone.full & ~mask.full
        if not whole_grid:
            missing &= mask.full.any(axis=1, keepdims=True)
        if not whole_grid and int(chunk.launch.arch.partition(".")[0]) >= _COUNTS_THREADS:
            _report_exited(missing & chunk.exited, ExecutionPoint(chunk, mask, site))
            missing &= ~chunk.exited
        if missing.any():
            _report_missing(missing, ExecutionPoint(chunk, mask, site))
    chunk.clock.barrier(mask)


def _report_exited(exited: Bools, here: ExecutionPoint) -> None:
    """Report threads that returned before a barrier: the others do not wait for them."""
    if not exited.any():
        return
    chunk, _, site = here
    block, thread = divmod(int(np.argmax(exited)), chunk.threads)
    there = _find_return(chunk, block, thread)
    what = fact(
        "finding.exited-thread",
        thread=str(chunk.geometry.thread_at(thread)),
        place=there.describe_from(site.file),
    )
    here.report(
        "warning",
        exited,
        what,
        topic="exited threads",
        other_line=there.line,
        other_column=there.column,
        other_file=there.file,
    )


def _report_missing(missing: Bools, here: ExecutionPoint) -> None:
    """Report threads that a barrier waits for and that are elsewhere."""
    chunk, mask, site = here
    block = int(np.argmax(missing.any(axis=1)))
    own = bool(mask.full[block].any())
    waiting = block if own else int(np.argmax(mask.full.any(axis=1)))
    absent, present = int(np.argmax(missing[block])), int(np.argmax(mask.full[waiting]))
    there, reason = _find_thread(chunk, block, absent, site)
    at, other = (chunk.geometry.block_at(chunk.first_block + number) for number in (waiting, block))
    waits, away = chunk.geometry.thread_at(present), chunk.geometry.thread_at(absent)

    def make_finding() -> Finding:
        missed = (
            fact("thread.in-block", thread=str(away))
            if own
            else fact("thread.of-block", thread=str(away), block=str(other))
        )
        return Finding(
            "barrier-divergence",
            site.line,
            site.column,
            fact(
                "finding.barrier-divergence",
                thread=str(waits),
                absent=missed,
                reason=reason,
                missing=int(missing[block].sum()),
                threads=int(chunk.everyone.full[block].sum()),
            ),
            "barrier",
            there.line,
            there.column,
            site.file,
            there.file,
            block=at,
            threads=(waits, away),
            blocks=() if own else (at, other),
        )

    key = ("barrier-divergence", site.number)
    chunk.launch.findings.add(key, int(np.count_nonzero(missing.any(axis=1))), make_finding)


def _find_thread(chunk: Chunk, block: int, thread: int, site: Site) -> tuple[Site, Fact]:
    """Find where a thread went that is not at a barrier."""
    if chunk.exited[block, thread]:
        place = _find_return(chunk, block, thread)
        return place, fact("absence.returned", place=place.describe_from(site.file))
    for split in reversed(chunk.splits):
        if split.mask.full[block, thread]:
            place = split.site
            return place, fact("absence.branched", place=place.describe_from(site.file))
    return site, fact("absence.elsewhere")


def _find_return(chunk: Chunk, block: int, thread: int) -> Site:
    """Return the place where a thread returned."""
    return next(site for mask, site in chunk.returned if mask.full[block, thread])


def _syncthreads(unit: Unit, node: ast.Call) -> Expression:
    arguments(unit, node, "cuda.syncthreads", 0)
    unit.program.timed = True
    site = unit.site(node)
    return TypedValue(Nothing(), lambda frame, mask: meet(frame.chunk, mask, site))


def _make_reduction(name: str, reduce: Callable[[Any], Any]) -> Intrinsic:
    """Make a barrier that evaluates a condition over all threads of the block."""

    def make(unit: Unit, node: ast.Call) -> Expression:
        (given,) = arguments(unit, node, name, 1)
        unit.program.timed = True
        typed, dtype = unit.compile_number(given)
        if dtype.kind not in "iu":
            instead = fact("advice.write", code="1 if … else 0")
            raise unit.typing_error(node, describe_mismatch(name, dtype), instead)
        site, test = unit.site(node), cast(typed, INT32)

        def evaluate(frame: Frame, mask: Mask) -> Value:
            chunk = frame.chunk
            holds = np.broadcast_to(test(frame, mask) != 0, (chunk.blocks, chunk.threads))
            meet(chunk, mask, site)
            return reduce(np.ma.array(holds, mask=~mask.full)).astype(np.int32)

        return TypedValue(INT32, evaluate)

    return make


def _reduce_count(holds: Any) -> Any:
    return np.asarray(holds.filled(fill_value=False).sum(axis=1, keepdims=True))


def _reduce_all(holds: Any) -> Any:
    return np.asarray(holds.filled(fill_value=True).all(axis=1, keepdims=True))


def _reduce_any(holds: Any) -> Any:
    return np.asarray(holds.filled(fill_value=False).any(axis=1, keepdims=True))


def _syncwarp(unit: Unit, node: ast.Call) -> Expression:
    given = arguments(unit, node, "cuda.syncwarp", 0, 1)
    unit.program.timed = True
    site = unit.site(node)
    members = cast(unit.compile_number(given[0])[0], INT64) if given else None

    def evaluate(frame: Frame, mask: Mask) -> None:
        named = _WHOLE_WARP if members is None else members(frame, mask)
        meet_warps(named, ExecutionPoint(frame.chunk, mask, site))

    return TypedValue(Nothing(), evaluate)


def _fence(name: str) -> Intrinsic:
    def make(unit: Unit, node: ast.Call) -> Expression:
        arguments(unit, node, name, 0)
        unit.program.fenced = True

        def evaluate(frame: Frame, mask: Mask) -> None:
            if frame.chunk.launch.fences is not None:
                frame.chunk.launch.fences.fence(frame.chunk.moment(mask))

        return TypedValue(Nothing(), evaluate)

    return make


def _fence_of_block(unit: Unit, node: ast.Call) -> Expression:
    """Make a fence that orders nothing between blocks; within one, only barriers count here."""
    arguments(unit, node, "cuda.threadfence_block", 0)
    return TypedValue(Nothing(), lambda _frame, _mask: None)


def _this_grid(unit: Unit, node: ast.Call) -> Expression:
    arguments(unit, node, "cuda.cg.this_grid", 0)
    return TypedValue(Opaque("cuda.cg.grid"))


def _grid_sync(unit: Unit, node: ast.Call) -> Expression:
    arguments(unit, node, "sync", 0)
    unit.program.timed = True
    site = unit.program.grid_sync = unit.site(node)

    def evaluate(frame: Frame, mask: Mask) -> Value:
        meet(frame.chunk, mask, site, whole_grid=True)
        frame.chunk.clock.grid_barrier()
        return np.ones((1, 1), dtype=np.int32)

    return TypedValue(INT32, evaluate)


CALLS: Table = {
    "cuda.syncthreads": _syncthreads,
    "cuda.syncthreads_count": _make_reduction("cuda.syncthreads_count", _reduce_count),
    "cuda.syncthreads_and": _make_reduction("cuda.syncthreads_and", _reduce_all),
    "cuda.syncthreads_or": _make_reduction("cuda.syncthreads_or", _reduce_any),
    "cuda.syncwarp": _syncwarp,
    "cuda.threadfence": _fence("cuda.threadfence"),
    "cuda.threadfence_block": _fence_of_block,
    "cuda.threadfence_system": _fence("cuda.threadfence_system"),
    "cuda.cg.this_grid": _this_grid,
    "cuda.cg.grid.sync": _grid_sync,
}
