"""Rules for races: a barrier between the two accesses, at the end of a loop's body, or both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from grader.changes import Change, change_span
from grader.facts import Fact, fact
from grader.simt.checks.findings import Finding
from grader.simt.repairs.candidates import RepairCandidate, RepairScene
from grader.simt.repairs.statements import (
    LoopStep,
    Suite,
    find_loops,
    indent_of,
    put_after,
    put_before,
)

BLOCK_BARRIER = ("cuda.syncthreads()", "__syncthreads();")
_WARP = ("cuda.syncwarp()", "__syncwarp();")
"""In Numba, and in CUDA C++."""
_WARP_CODE = re.compile(
    r"(?:% ?|& ?|/ ?|>> ?)(?:31|32|5|warp_?size)\b|sync_?warp|\blane", re.IGNORECASE
)
"""Of a kernel whose warps work on their own. Elsewhere, a barrier of the warp would do in a launch
of small blocks, and not in one of larger ones."""
ANY_BARRIER = re.compile(
    r"\s*(?:cuda\s*\.\s*|__)sync(?:threads|warp)\w*\s*\(.*\)\s*;?\s*", re.DOTALL
)
"""A statement that is a barrier, as a whole."""


def propose_barriers(finding: Finding, scene: RepairScene) -> Iterator[RepairCandidate]:
    """Propose barriers for a race between threads of a block, both of whose places are here."""
    rival = finding.what.fields.get("rival")
    where = rival.code if isinstance(rival, Fact) else ""
    if where not in ("thread.in-warp", "thread.in-block") or finding.file or finding.other_file:
        return
    first = scene.path(finding.other_line, finding.other_column)
    second = scene.path(finding.line, finding.column)
    shared = _count_shared(first, second)
    barriers = [BLOCK_BARRIER, _WARP] if where == "thread.in-warp" else [BLOCK_BARRIER]
    if _WARP_CODE.search(scene.source.text):
        barriers.reverse()
    texts = [each[scene.is_cuda] for each in barriers]
    between = _find_between(first[shared - 1], second[shared - 1], scene) if shared else None
    ends = [*_find_ends(second[:shared], scene)]
    for place, text in product(([between] if between else []) + ends, texts):
        yield _make(scene, text, place)
    for path in (first, second) if not between else (first,):
        if path and not _is_barrier(scene, path[0].statement.start, path[0].statement.end):
            yield _make(scene, BLOCK_BARRIER[scene.is_cuda], _Place(path[0]))
    for end in ends if between else ():
        yield _make(scene, BLOCK_BARRIER[scene.is_cuda], between, end)


def propose_moves(finding: Finding, scene: RepairScene) -> Iterator[RepairCandidate]:
    """Propose to move a barrier that not all threads reach behind the branches around it."""
    path = [] if finding.file else scene.path(finding.line, finding.column)
    if not path or not _is_barrier(scene, path[-1].statement.start, path[-1].statement.end):
        return
    text, barrier = scene.source.text, path[-1].statement
    line_start = text.rfind("\n", 0, barrier.start) + 1
    line_end = text.find("\n", barrier.end) + 1 or len(text)
    alone = text[line_start:line_end].strip() == text[barrier.start : barrier.end]
    if not alone or not path[-1].block.closed or len(path[-1].block.statements) == 1:
        return
    new = BLOCK_BARRIER[scene.is_cuda]
    for step in reversed(path[:-1]):
        branch = step.statement
        if branch.kind != "if":
            continue
        if branch.end == barrier.end:  # in Python, its last line: one that ends both
            moved = f"{indent_of(text, branch.start)}{new}"
            changes = [change_span(text, line_start, barrier.end, moved)]
        else:
            put = put_after(text, step, new, braces=scene.is_cuda)
            changes = [change_span(text, line_start, line_end, ""), put]
        where = scene.line_of(branch.start)
        yield RepairCandidate(fact("repair.move", line=finding.line, branch=where), tuple(changes))


class _Place:
    """Where a barrier can stand: before a statement, or behind the last one of a loop's body."""

    def __init__(self, step: LoopStep, loop: int = 0) -> None:
        self.step = step
        self.loop = loop

    def put(self, scene: RepairScene, barrier: str) -> Change:
        put = put_after if self.loop else put_before
        return put(scene.source.text, self.step, barrier, braces=scene.is_cuda)


def _make(scene: RepairScene, barrier: str, *places: _Place | None) -> RepairCandidate:
    used = [place for place in places if place is not None]
    changes = tuple(place.put(scene, barrier) for place in used)
    line = next((scene.line_of(each.step.statement.start) for each in used if not each.loop), 0)
    loop = next((each.loop for each in used if each.loop), 0)
    name = barrier.rstrip(";")
    if line and loop:
        return RepairCandidate(fact("repair.barriers", barrier=name, line=line, loop=loop), changes)
    if loop:
        return RepairCandidate(fact("repair.barrier-loop", barrier=name, loop=loop), changes)
    return RepairCandidate(fact("repair.barrier", barrier=name, line=line), changes)


def _count_shared(first: list[LoopStep], second: list[LoopStep]) -> int:
    """Count the steps of two paths that are in the same blocks."""
    shared = 0
    for one, other in zip(first, second, strict=False):
        if one.block is not other.block and one.block != other.block:
            break
        shared += 1
        if one.position != other.position:
            break
    return shared


def _find_between(first: LoopStep, second: LoopStep, scene: RepairScene) -> _Place | None:
    """Return the place before the later statement; None if a barrier is there already."""
    if first.position >= second.position:
        return None
    between = second.block.statements[first.position + 1 : second.position]
    if any(_is_barrier(scene, each.start, each.end) for each in between):
        return None
    return _Place(second)


def _find_ends(path: list[LoopStep], scene: RepairScene) -> Iterator[_Place]:
    """Yield the ends of the bodies of the loops around, where no barrier is."""
    for loop in find_loops(path):
        body = loop.blocks[0] if loop.blocks else Suite(())
        if not body.statements:
            continue
        edges = body.statements[0], body.statements[-1]
        if any(_is_barrier(scene, each.start, each.end) for each in edges):
            continue
        yield _Place(LoopStep(body, len(body.statements) - 1), scene.line_of(loop.start))


def _is_barrier(scene: RepairScene, start: int, end: int) -> bool:
    return ANY_BARRIER.fullmatch(scene.source.text[start:end]) is not None
