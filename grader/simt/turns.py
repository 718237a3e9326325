"""Statements one after the other, and who goes on while others wait in a loop for them.

Blocks that spin in a loop are paused: the others go on, to the end of the statements around it and
of those around these, as far as the innermost loop or function. Then the paused ones come back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from grader.simt.counters import Site
from grader.simt.masks import Mask, together
from grader.simt.typed import Execute, Frame, Paused

Step = tuple[Site, Execute]
"""A statement, and where it stands."""
_Resume = Callable[[Frame], "Mask | None"]


def in_order(steps: Sequence[Step]) -> Execute:
    """Where nobody is paused."""

    def execute(frame: Frame, mask: Mask) -> Mask | None:
        for step in steps:
            left = _executed(step, frame, mask)
            if left is None:
                return None
            mask = left
        return mask

    return execute


def in_turns(steps: Sequence[Step]) -> Execute:
    """Where statements may pause some blocks."""

    def execute(frame: Frame, mask: Mask) -> Mask | None:
        return advance(frame, mask, deque([(0, lambda frame: _executed(steps[0], frame, mask))]))

    def advance(frame: Frame, whole: Mask, waiting: deque[tuple[int, _Resume]]) -> Mask | None:
        """Let all come to the end, or to where they wait for somebody who is not here."""
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
                left = _executed(steps[place], frame, left)
            if moved:
                stuck.clear()
        if stuck:
            there = together(whole, *stuck)
            assert there is not None  # noqa: S101 — of one or more
            frame.paused = Paused(there, lambda frame: advance(frame, whole, waiting))
        return together(whole, *done)

    return execute if steps else in_order(steps)


def rejoined(frame: Frame, whole: Mask, left: Mask | None, paused: Sequence[Paused]) -> Mask | None:
    """Who goes on after a branch: not those of whose block others are paused in it."""
    if not paused:
        return left
    stay = together(whole, *(one.mask for one in paused))
    assert stay is not None  # noqa: S101 — of one or more
    blocks = np.logical_or.reduce(stay.full, axis=1, keepdims=True)
    kept, go = (None, None) if left is None else left.split(blocks)

    def resume(frame: Frame) -> Mask | None:
        parts, again = [kept], list[Paused]()
        for one in paused:
            parts.append(one.resume(frame))
            again += taken(frame)
        return rejoined(frame, whole, together(whole, *parts), again)

    mask = together(whole, stay, kept)
    assert mask is not None  # noqa: S101 — of one or more
    frame.paused = Paused(mask, resume)
    return go


def taken(frame: Frame) -> list[Paused]:
    """Who was just paused, if anybody."""
    paused, frame.paused = frame.paused, None
    return [] if paused is None else [paused]


def settled(frame: Frame, whole: Mask, left: Mask | None) -> Mask | None:
    """With those who were paused: nobody else can go on before they do."""
    while frame.paused is not None:
        (paused,) = taken(frame)
        left = together(whole, left, paused.resume(frame))
    return left


def _executed(step: Step, frame: Frame, mask: Mask) -> Mask | None:
    site, execute = step
    counts = site.counts
    counts["instructions"] += mask.warps
    counts["lanes"] += mask.count
    frame.chunk.spend(site, mask)
    return execute(frame, mask)
