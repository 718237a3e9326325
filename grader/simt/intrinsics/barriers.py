"""Barriers and fences: the threads that are missing at them, and what they order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from grader.facts import Fact, fact
from grader.simt.checks.counters import Site
from grader.simt.checks.fences import Fence
from grader.simt.checks.findings import Finding
from grader.simt.intrinsics.failing import fail
from grader.simt.intrinsics.participants import give_up
from grader.simt.machine.chunk import Chunk, ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.masks import LANES, Bools
from grader.simt.program.kernel import Program

_COUNTS_THREADS = 7
"""From this compute capability on, a barrier waits for the threads that have not exited."""


def meet(here: ExecutionPoint, *, whole_grid: bool = False) -> None:
    """Let threads meet at a barrier of their blocks, or of the grid."""
    chunk, mask, site = here
    site.counts["barriers"] += mask.warps
    if chunk.unmet:
        give_up(mask.full.reshape(-1, LANES), chunk.unmet)
    if mask.count != chunk.everyone.count:
        missing = chunk.everyone.full & ~mask.full
        if not whole_grid:
            missing &= mask.full.any(axis=1, keepdims=True)
        if not whole_grid and int(chunk.launch.arch.partition(".")[0]) >= _COUNTS_THREADS:
            _report_exited(missing & chunk.exited, here)
            missing &= ~chunk.exited
        if missing.any():
            _report_missing(missing, here)
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


def meet_and_reduce(here: ExecutionPoint, test: Value, *, reduce: Callable[[Any], Any]) -> Value:
    """Let threads meet at a barrier of their blocks, and reduce a test over each block.

    Args:
        test: integers; what is not 0 is true.
        reduce: `count_true`, `all_true` or `any_true`.

    Returns:
        (blocks, 1) int32.
    """
    chunk = here.chunk
    holds = np.broadcast_to(test != 0, (chunk.blocks, chunk.threads))
    meet(here)
    return reduce(np.ma.array(holds, mask=~here.mask.full)).astype(np.int32)


def count_true(holds: Any) -> Any:
    """Return how many threads hold, (blocks, 1)."""
    return np.asarray(holds.filled(fill_value=False).sum(axis=1, keepdims=True))


def all_true(holds: Any) -> Any:
    """Return whether all threads hold, (blocks, 1)."""
    return np.asarray(holds.filled(fill_value=True).all(axis=1, keepdims=True))


def any_true(holds: Any) -> Any:
    """Return whether any thread holds, (blocks, 1)."""
    return np.asarray(holds.filled(fill_value=False).any(axis=1, keepdims=True))


def meet_in_grid(here: ExecutionPoint) -> Value:
    """Let all threads of the grid meet; return 1, as cooperative groups do.

    Raises:
        ThreadError: the launch is not cooperative.
    """
    if not here.chunk.launch.cooperative:
        fail("", "grid.sync()", fact("launch.not-cooperative"), here)
    meet(here, whole_grid=True)
    here.chunk.clock.grid_barrier()
    return np.ones((1, 1), dtype=np.int32)


def make_fence(program: Program, does: Fence) -> Callable[[ExecutionPoint], None]:
    """Return what orders what threads do before and behind it, and note it of the program."""
    program.fenced = max(program.fenced, does.scope)
    return partial(ExecutionPoint.fence, does=does)
