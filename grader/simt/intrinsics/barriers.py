"""Barriers and fences: who is missing at them, and what they order."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.simt.chunk import Chunk
from grader.simt.counters import Site
from grader.simt.findings import Finding
from grader.simt.intrinsics.calling import Intrinsic, Maker, Table, arguments
from grader.simt.masks import Mask
from grader.simt.typed import Frame, Typed, Value, cast
from grader.simt.types import INT32, Nothing, Opaque


def met(chunk: Chunk, mask: Mask, site: Site) -> None:
    """The threads of a mask are at a barrier of their blocks."""
    site.counts["barriers"] += mask.warps
    if mask.count != chunk.everyone.count:
        _report_missing(chunk, mask, site)
    chunk.clock.barrier(mask)


def _report_missing(chunk: Chunk, mask: Mask, site: Site) -> None:
    """Blocks of which some threads are here and some are not."""
    everyone = chunk.everyone.full
    here = mask.full
    partly = here.any(axis=1) & (here != everyone).any(axis=1)
    if not partly.any():
        return
    block = int(np.argmax(partly))
    missing = everyone[block] & ~here[block]
    absent, present = int(np.argmax(missing)), int(np.argmax(here[block]))
    there, why = _elsewhere(chunk, block, absent, site)
    at = chunk.block_at(chunk.first_block + block)
    waits, away = chunk.thread_at(present), chunk.thread_at(absent)

    def first() -> Finding:
        message = (
            f"thread {waits} waits at this barrier, and thread {away} of its block does not come: "
            f"{why}; {int(missing.sum())} of {int(everyone[block].sum())} threads are missing"
        )
        return Finding(
            "barrier-divergence",
            site.line,
            site.column,
            message,
            "barrier",
            there.line,
            there.column,
            site.file,
            there.file,
            block=at,
            threads=(waits, away),
            hint="move the barrier to where all threads of the block come",
        )

    key = ("barrier-divergence", site.number)
    chunk.launch.findings.add(key, int(np.count_nonzero(partly)), first)


def _elsewhere(chunk: Chunk, block: int, thread: int, site: Site) -> tuple[Site, str]:
    """Where a thread went that is not at a barrier."""
    for mask, place in reversed(chunk.returned):
        if mask.full[block, thread]:
            return place, f"it returned in {place.seen_from(site.file)}"
    for split in reversed(chunk.splits):
        if split.mask.full[block, thread]:
            place = split.site
            return place, f"it went another way in {place.seen_from(site.file)}"
    return site, "it went another way"


def _syncthreads(maker: Maker, node: ast.Call) -> Typed:
    arguments(maker, node, "cuda.syncthreads", 0)
    maker.program.timed = True
    site = maker.site(node)
    return Typed(Nothing(), lambda frame, mask: met(frame.chunk, mask, site))


def _reducing(name: str, reduce: Callable[[Any], Any]) -> Intrinsic:
    """A barrier that tells something about all threads of the block."""

    def make(maker: Maker, node: ast.Call) -> Typed:
        (given,) = arguments(maker, node, name, 1)
        maker.program.timed = True
        typed, dtype = maker.number(given)
        if dtype.kind not in "iu":
            raise maker.not_typed(node, f"{name}({dtype.name})", "write 1 if … else 0")
        site, test = maker.site(node), cast(typed, INT32)

        def evaluate(frame: Frame, mask: Mask) -> Value:
            chunk = frame.chunk
            holds = np.broadcast_to(test(frame, mask) != 0, (chunk.blocks, chunk.threads))
            met(chunk, mask, site)
            return reduce(np.ma.array(holds, mask=~mask.full)).astype(np.int32)

        return Typed(INT32, evaluate)

    return make


def _count(holds: Any) -> Any:
    return np.asarray(holds.filled(fill_value=False).sum(axis=1, keepdims=True))


def _all(holds: Any) -> Any:
    return np.asarray(holds.filled(fill_value=True).all(axis=1, keepdims=True))


def _any(holds: Any) -> Any:
    return np.asarray(holds.filled(fill_value=False).any(axis=1, keepdims=True))


def _syncwarp(maker: Maker, node: ast.Call) -> Typed:
    for one in arguments(maker, node, "cuda.syncwarp", 0, 1):
        maker.number(one)
    maker.program.timed = True

    def evaluate(frame: Frame, mask: Mask) -> None:
        frame.chunk.clock.warp_barrier(mask)

    return Typed(Nothing(), evaluate)


def _fence(name: str) -> Intrinsic:
    def make(maker: Maker, node: ast.Call) -> Typed:
        arguments(maker, node, name, 0)
        maker.program.fenced = True

        def evaluate(frame: Frame, mask: Mask) -> None:
            if frame.chunk.launch.fences is not None:
                frame.chunk.launch.fences.fence(frame.chunk.moment(mask))

        return Typed(Nothing(), evaluate)

    return make


def _fence_of_block(maker: Maker, node: ast.Call) -> Typed:
    """Orders nothing between blocks; within one, only barriers count here."""
    arguments(maker, node, "cuda.threadfence_block", 0)
    return Typed(Nothing(), lambda _frame, _mask: None)


def _this_grid(maker: Maker, node: ast.Call) -> Typed:
    arguments(maker, node, "cuda.cg.this_grid", 0)
    return Typed(Opaque("cuda.cg.grid"))


def _grid_sync(maker: Maker, node: ast.Call) -> Typed:
    arguments(maker, node, "sync", 0)
    maker.program.timed = True
    site = maker.program.grid_sync = maker.site(node)

    def evaluate(frame: Frame, mask: Mask) -> Value:
        met(frame.chunk, mask, site)
        frame.chunk.clock.grid_barrier()
        return np.ones((1, 1), dtype=np.int32)

    return Typed(INT32, evaluate)


CALLS: Table = {
    "cuda.syncthreads": _syncthreads,
    "cuda.syncthreads_count": _reducing("cuda.syncthreads_count", _count),
    "cuda.syncthreads_and": _reducing("cuda.syncthreads_and", _all),
    "cuda.syncthreads_or": _reducing("cuda.syncthreads_or", _any),
    "cuda.syncwarp": _syncwarp,
    "cuda.threadfence": _fence("cuda.threadfence"),
    "cuda.threadfence_block": _fence_of_block,
    "cuda.threadfence_system": _fence("cuda.threadfence_system"),
    "cuda.cg.this_grid": _this_grid,
    "cuda.cg.grid.sync": _grid_sync,
}
