"""Runs statements one after the other; some threads may wait in a loop for others.

Blocks that spin in a loop are paused: the others go on, to the end of the statements around it and
of those around these, as far as the innermost loop or function. Then the paused ones come back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from grader.simt.checks.counters import Site
from grader.simt.machine.frame import Execute, Frame, PausedThreads
from grader.simt.masks import Mask, unite

Step = tuple[Site, Execute]
"""A statement, and its place."""
_Resume = Callable[[Frame], "Mask | None"]


def chain(steps: Sequence[Step]) -> Execute:
    """Chain statements of which none can pause threads."""

    def execute(frame: Frame, mask: Mask) -> Mask | None:
        for step in steps:
            left = _execute(step, frame, mask)
            if left is None:
                return None
            mask = left
        return mask

    return execute


def chain_in_turns(steps: Sequence[Step]) -> Execute:
    """Chain statements that may pause some blocks."""

    def execute(frame: Frame, mask: Mask) -> Mask | None:
        return advance(frame, mask, deque([(0, lambda frame: _execute(steps[0], frame, mask))]))

    def advance(frame: Frame, whole: Mask, waiting: deque[tuple[int, _Resume]]) -> Mask | None:
        """Let all threads reach the end, or a place where they wait for threads elsewhere."""
        done, stuck = list[Mask](), list[Mask]()
        while len(stuck) < len(waiting):
            place, start = waiting.popleft()
            left, moved = start(frame), False
            while True:
                if frame.paused is not None:
                    paused_now, frame.paused = frame.paused, None
                    waiting.append((place, paused_now.resume))
                    stuck.append(paused_now.mask)
                if left is None:
                    break
                moved, place = True, place + 1
                if place == len(steps):
                    done.append(left)
                    break
                left = _execute(steps[place], frame, left)
            if moved:
                stuck.clear()
        if stuck:
            there = unite(whole, *stuck)
            assert there is not None
            frame.paused = PausedThreads(there, lambda frame: advance(frame, whole, waiting))
        return unite(whole, *done)

    return execute if steps else chain(steps)


def drop_exited(execute: Execute) -> Execute:
    """Execute a statement in which threads may exit, and let only the others continue."""

    def execute_and_drop(frame: Frame, mask: Mask) -> Mask | None:
        left = execute(frame, mask)
        return None if left is None else frame.chunk.without_raised(left)

    return execute_and_drop


def rejoin(
    frame: Frame, whole: Mask, left: Mask | None, paused: Sequence[PausedThreads]
) -> Mask | None:
    """Return the threads that continue after a branch: not those of blocks paused in it."""
    if not paused:
        return left
    stay = unite(whole, *(threads.mask for threads in paused))
    assert stay is not None
    blocks = np.logical_or.reduce(stay.full, axis=1, keepdims=True)
    kept, go = (None, None) if left is None else left.split(blocks)

    def resume(frame: Frame) -> Mask | None:
        parts, again = [kept], list[PausedThreads]()
        for threads in paused:
            parts.append(threads.resume(frame))
            again += take_paused(frame)
        return rejoin(frame, whole, unite(whole, *parts), again)

    mask = unite(whole, stay, kept)
    assert mask is not None
    frame.paused = PausedThreads(mask, resume)
    return go


def take_paused(frame: Frame) -> list[PausedThreads]:
    """Take the threads that were just paused out of the frame."""
    paused, frame.paused = frame.paused, None
    return [] if paused is None else [paused]


def settle(frame: Frame, whole: Mask, left: Mask | None) -> Mask | None:
    """Run the paused threads to the end: no other thread can continue before them."""
    while frame.paused is not None:
        (paused,) = take_paused(frame)
        left = unite(whole, left, paused.resume(frame))
    return left


def _execute(step: Step, frame: Frame, mask: Mask) -> Mask | None:
    site, execute = step
    if site.number:
        counts = site.counts
        counts["instructions"] += mask.warps
        counts["lanes"] += mask.count
        frame.chunk.work.add(mask)
    frame.chunk.spend(site)
    return execute(frame, mask)
