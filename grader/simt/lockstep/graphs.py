"""Runs a `Graph`: threads wait in segments, and the first segment that has some goes first.

Threads of a loop that may wait for others let those go on after some rounds. A loop in which
nothing changes any more ends the launch.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from grader.simt.checks.counters import Site
from grader.simt.lockstep.expressions import evaluator
from grader.simt.lockstep.merging import merge_result
from grader.simt.lockstep.scopes import Scope
from grader.simt.lockstep.statements import Operate, build_operations, count_branch
from grader.simt.lockstep.waiting import WaitingLoop
from grader.simt.machine.chunk import OPERATION, Split
from grader.simt.machine.frame import Evaluate, Execute, Frame
from grader.simt.masks import LANES, Mask, unite
from grader.simt.program import nodes
from grader.simt.program.graphs import Around, find_loops
from grader.simt.program.waiting import Wait
from grader.simt.program.walking import each_operation, operation_parts, walk_expression

_PATIENCE = 16
"""Rounds of a loop that may wait, before threads elsewhere have their turn."""
_TURN = 64
"""Segments that those then run."""
_OF_BLOCKS = "syncthreads"
_OF_WARPS = frozenset({"syncwarp", "shfl", "vote", "match", "redux", "mma", "ldmatrix", "stmatrix"})
"""How names begin of what threads of a block, or of a warp, do together."""
_MOST_THREADS = 1 << 10
"""Of a block."""


class _Run(NamedTuple):
    site: Site
    times: int
    operate: Operate


class _Segment(NamedTuple):
    """A segment, ready to run.

    Attributes:
        meets: how many threads meet in it: those of a warp, of a block, or 0; only of a graph in
            which threads wait for others.
        leaves: the loops that threads may leave behind it.
    """

    node: nodes.Segment
    runs: tuple[_Run, ...]
    test: Evaluate | None
    meets: int
    leaves: tuple[int, ...]


def _find_left(graph: nodes.Graph, number: int) -> tuple[int, ...]:
    """Return the loops that threads may leave behind a segment, by their first segments."""
    segment = graph.segments[number]
    targets = (segment.yes,) if segment.test is None else (segment.yes, segment.no)
    around = [(first, last) for first, last in graph.ends.items() if first <= number <= last]
    return tuple(
        first
        for first, last in around
        if any(to is None or not first <= to <= last for to in targets)
    )


def _find_meeting(segment: nodes.Segment) -> int:
    if segment.rejoins:
        return LANES
    names = {
        node.name.partition(" ")[0]
        for run in segment.runs
        for operation in each_operation(run.operations)
        for part in operation_parts(operation)
        for node in walk_expression(part)
        if isinstance(node, nodes.Perform)
    }
    if any(name.startswith(_OF_BLOCKS) for name in names):
        return _MOST_THREADS
    return 0 if names.isdisjoint(_OF_WARPS) else LANES


class _GraphRunner:
    """A graph, ready to run."""

    def __init__(self, node: nodes.Graph, scope: Scope) -> None:
        waits = any(each.waits for each in node.segments)
        self._segments = [
            _Segment(
                each,
                tuple(
                    _Run(run.site, run.count, build_operations(run.operations, scope))
                    for run in each.runs
                ),
                None if each.test is None else evaluator(each.test, scope),
                _find_meeting(each) if waits else 0,
                _find_left(node, number),
            )
            for number, each in enumerate(node.segments)
        ]
        self._loops = find_loops(node)
        self._result = None if node.result is None else evaluator(node.result, scope)
        self._is_kernel = scope.function.is_kernel

    def execute(self, frame: Frame, mask: Mask) -> Mask | None:
        """Run it; return the threads that leave it, none of a kernel."""
        return _Course(self._segments, self._loops, frame, mask).run(
            self._result, leaves_kernel=self._is_kernel
        )


class _Rounds:
    """The rounds of a loop.

    Attributes:
        split: as the chunk shows it.
        stuck: those since its threads last let others go on.
        yields: segments that others may still run.
        ran: when its threads last had their turn.
    """

    def __init__(self, around: Around, site: Site, mask: Mask, *, in_kernel: bool) -> None:
        self.around = around
        self.split = Split(mask, site)
        self.stuck = 0
        self.yields = 0
        self.ran = 0
        wait = None if around.deciding is None else Wait(around.deciding, None)
        self._watch = wait and WaitingLoop(wait, site, in_kernel=in_kernel, apart=True)

    def begin(self, frame: Frame, going: Mask) -> None:
        """Begin a round of some threads."""
        split, watch = self.split, self._watch
        if watch is not None and split.rounds:
            if going.count < split.mask.count:
                frame.chunk.launch.note_change()
            watch.end_round(frame, split.mask, going, split)
        split.rounds += 1
        split.mask = going
        self.stuck += 1
        if watch is not None:
            watch.begin_round(frame, split.rounds)

    def end(self, frame: Frame) -> None:
        """End the loop: no thread is left in it."""
        if self._watch is not None:
            self._watch.restart(frame)


class _Course:
    """A graph that is being run by the threads of a call."""

    def __init__(
        self, segments: list[_Segment], loops: dict[int, Around], frame: Frame, mask: Mask
    ) -> None:
        self._segments = segments
        self._loops = loops
        self._frame = frame
        self._whole = mask
        self._waiting = {0: mask}
        self._rounds = dict[int, _Rounds]()
        self._left = list[Mask]()
        self._splits = len(frame.chunk.splits)
        self._turns = 0

    def run(self, result: Evaluate | None, *, leaves_kernel: bool) -> Mask | None:
        """Run until no thread is left."""
        frame, chunk = self._frame, self._frame.chunk
        while self._waiting:
            number, part = self._choose()
            here = chunk.without_raised(self._take(number, part))
            if here is None:
                continue
            segment = self._segments[number]
            self._show(segment, here, number, in_kernel=leaves_kernel)
            for site, count, operate in segment.runs:
                self._count(site, count, here)
                operate(frame, here)
            alive = chunk.without_raised(here)
            if alive is not None:
                self._part(segment, alive, result, leaves_kernel=leaves_kernel)
            for loop in segment.leaves:
                self._end_rounds(loop)
        del chunk.splits[self._splits :]
        return unite(self._whole, *self._left)

    def _part(
        self, segment: _Segment, here: Mask, result: Evaluate | None, *, leaves_kernel: bool
    ) -> None:
        """Send threads to the segments that follow, or out of the function."""
        frame = self._frame
        yes: Mask | None = here
        no: Mask | None = None
        if segment.test is not None:
            yes, no = here.split(segment.test(frame, here))
            count_branch(segment.node.site, here, yes, no)
        for mask, target in ((yes, segment.node.yes), (no, segment.node.no)):
            if mask is None:
                continue
            if target is not None:
                there = unite(self._whole, self._waiting.get(target), mask)
                assert there is not None  # `mask` is in it
                self._waiting[target] = there
            elif leaves_kernel:
                frame.chunk.returned.append((mask, segment.node.site))
            else:
                self._leave(mask, result)

    def _end_rounds(self, loop: int) -> None:
        """Forget the rounds of a loop that no thread is left in: others begin it anew."""
        rounds = self._rounds.get(loop)
        if rounds is None or any(loop <= each <= rounds.around.last for each in self._waiting):
            return
        rounds.end(self._frame)
        del self._rounds[loop]

    def _leave(self, mask: Mask, result: Evaluate | None) -> None:
        if result is not None:
            merge_result(self._frame, mask, result(self._frame, mask))
        self._left.append(mask)

    def _choose(self) -> tuple[int, Mask | None]:
        """Return the segment whose threads go on: the first, unless they wait for others.

        Then others go on, but not past a place where they meet threads that wait.

        Returns:
            The segment, and which of its threads; None: all.
        """
        waiting = self._waiting
        first = min(waiting)
        if len(waiting) == 1:
            return first, None
        rounds = self._find_rounds(first)
        if rounds is None:
            return first, None
        others = [each for each in waiting if each > rounds.around.last]
        if not others:
            return first, None
        stuck = rounds.stuck > _PATIENCE
        if not stuck and not rounds.yields:
            return first, None
        able = {each: some for each in others if (some := self._able(each)) is not None}
        if able:
            rounds.stuck, rounds.yields = 0, _TURN if stuck else rounds.yields - 1
            chosen = min(able, key=self._rank)
            return chosen, able[chosen]
        rounds.stuck, rounds.yields = 0, 0
        lone = [each for each in others if self._may_go_alone(each)]
        return (min(lone) if stuck and lone else first), None

    def _find_rounds(self, number: int) -> _Rounds | None:
        """Return the rounds of the loop in which a segment's threads may wait."""
        node = self._segments[number].node
        return self._rounds.get(node.loop) if node.waits and node.loop is not None else None

    def _rank(self, number: int) -> tuple[bool, int, int]:
        """Rank segments by who goes on: who may wait for others comes later, and takes turns."""
        rounds = self._find_rounds(number)
        if rounds is None or rounds.stuck <= _PATIENCE:
            return False, 0, number
        return True, rounds.ran, number

    def _may_go_alone(self, number: int) -> bool:
        segment = self._segments[number]
        return segment.meets < _MOST_THREADS and not segment.node.rejoins

    def _able(self, number: int) -> Mask | None:
        """Return the threads of a segment that may go on: not before those that they meet there."""
        whole, group = self._waiting[number], self._segments[number].meets
        behind = [mask for at, mask in self._waiting.items() if at < number]
        ahead = unite(self._whole, *behind)
        if not group or ahead is None:
            return whole
        there = ahead.full.reshape(ahead.blocks, -1, min(group, ahead.threads))
        return whole.subtract(np.repeat(there.any(axis=2), there.shape[2], axis=1))

    def _take(self, number: int, part: Mask | None) -> Mask:
        """Take threads that wait in a segment: some of them, or all."""
        whole = self._waiting.pop(number)
        if part is None:
            return whole
        rest = whole.subtract(part.full)
        if rest is not None:
            self._waiting[number] = rest
        return part

    def _show(self, segment: _Segment, here: Mask, number: int, *, in_kernel: bool) -> None:
        """Let the chunk know where the other threads are, and in which loop these are."""
        frame, chunk, loop = self._frame, self._frame.chunk, segment.node.loop
        del chunk.splits[self._splits :]
        spinning = False
        for at, mask in self._waiting.items():
            other = self._segments[at].node
            site = other.runs[0].site if other.rejoins and other.runs else other.site
            chunk.splits.append(Split(mask, site))
            spinning = spinning or other.waits
        if spinning and not segment.node.waits:  # what they wait for may be on its way
            chunk.launch.note_change()
        if loop is None:
            return
        rounds = self._rounds.get(loop)
        if number == loop:
            if rounds is None:
                site = segment.node.site
                rounds = _Rounds(self._loops[loop], site, here, in_kernel=in_kernel)
                self._rounds[loop] = rounds
            chunk.splits.append(rounds.split)
            self._turns += 1
            rounds.ran = self._turns
            rounds.begin(frame, here)
        elif rounds is not None:
            chunk.splits.append(rounds.split)

    def _count(self, site: Site, count: int, here: Mask) -> None:
        counts, chunk = site.counts, self._frame.chunk
        counts["instructions"] += count * here.warps
        counts["lanes"] += count * here.count
        chunk.work.add(here)
        chunk.charge((count - 1) * (OPERATION + chunk.size))
        chunk.spend(site)


def build_graph(node: nodes.Graph, scope: Scope) -> Execute:
    """Return what runs a graph."""
    return _GraphRunner(node, scope).execute
