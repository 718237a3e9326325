"""Ends a launch whose threads wait in a loop for what no thread that can go on will change.

A round of a loop that only waits is compared with one some hundred rounds later, in which other
blocks had their turns: if meanwhile no variable that decides and no atomic's memory has changed,
and no thread has left a loop that waits, no later round will differ.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.checks.counters import Site
from grader.simt.intrinsics.arrivals import explain_waits, name_other
from grader.simt.machine.chunk import Chunk, ExecutionPoint, NoProgress, Split
from grader.simt.machine.frame import Frame
from grader.simt.masks import LANES, Bools, Mask
from grader.simt.program.waiting import Wait

_ROUNDS = 96
"""Rounds that are compared, less than a second; as many follow that are not."""


class WaitingLoop:
    """Looks at the rounds of one loop; `apart` if warps go on behind it while others spin."""

    def __init__(self, wait: Wait, site: Site, *, in_kernel: bool, apart: bool = False) -> None:
        self._wait = wait
        self._apart = apart
        self._site = site
        self._in_kernel = in_kernel
        self._before: dict[str, Any] | None = None
        self._changes = 0

    def begin_round(self, frame: Frame, rounds: int) -> None:
        """Keep what decides, where rounds from this one on are to be compared."""
        if rounds % (2 * _ROUNDS):
            return
        self.restart(frame)
        values, launch = frame.values, frame.chunk.launch
        self._before = {name: _copy(values.get(name)) for name in self._wait.names}
        self._changes = launch.changes
        launch.watching += 1

    def restart(self, frame: Frame) -> None:
        """Forget what was kept: rounds before all threads left the loop tell nothing of later."""
        if self._before is not None:
            self._before = None
            frame.chunk.launch.watching -= 1

    def end_round(self, frame: Frame, came: Mask, going: Mask, split: Split) -> None:
        """Compare; threads that left the loop meanwhile, or another one, are a change.

        Raises:
            NoProgress: the rounds have changed nothing.
        """
        before = self._before
        if split.rounds % (2 * _ROUNDS) != _ROUNDS or before is None:
            return
        self.restart(frame)
        if frame.chunk.launch.changes != self._changes or not all(
            _is_same(known, frame.values.get(name)) for name, known in before.items()
        ):
            return
        self._report(frame, came, going, split)
        raise NoProgress

    def _report(self, frame: Frame, came: Mask, going: Mask, split: Split) -> None:
        """Say who spins, and where those are that can go on only afterwards."""
        chunk, spinning = frame.chunk, going.full
        waits = explain_waits(chunk)
        for stuck in waits:
            here = ExecutionPoint(chunk, stuck.mask, stuck.caller)
            hint = fact("finding.no-progress.pipeline") if stuck.site.library else None
            place = name_other(stuck.site) if stuck.site is not stuck.caller else {}
            here.report("no-progress", stuck.mask.full, stuck.what, hint=hint, **place)
        if waits:
            return
        others = chunk.everyone.full & ~spinning & ~chunk.exited
        elsewhere = others & ~spinning.any(axis=1, keepdims=True)
        if elsewhere.any() and (len(frame.loops) > 1 or not self._in_kernel):
            # Blocks take turns as far as the innermost loop or function.
            site = self._place_of(chunk, elsewhere, came, split)
            block, thread = map(str, chunk.thread(int(np.argmax(elsewhere))))
            what = fact("finding.no-progress.grid", thread=thread, block=block, line=site.line)
            self._tell(frame, spinning, what, site)
            return
        warps = np.repeat(_by_warp(spinning), LANES, axis=-1)
        blocks: Bools = np.broadcast_to(
            np.logical_or.reduce(spinning, axis=1, keepdims=True), spinning.shape
        )
        left = others & came.full  # a lock is theirs, rather than of threads that never came
        for held in (left, others):
            for same_warp, near in ((True, warps), (False, blocks)):
                if not (held & near).any():
                    continue
                site = self._place_of(chunk, held & near, came, split)
                thread = str(chunk.thread(int(np.argmax(held & near)))[1])
                if same_warp:
                    what = fact("finding.no-progress.warp", thread=thread, line=site.line)
                elif self._apart:
                    what = fact("finding.no-progress.meeting", thread=thread, line=site.line)
                else:
                    what = fact("finding.no-progress.block", thread=thread, line=site.line)
                self._tell(frame, spinning & near, what, site)
                return
        self._tell(frame, spinning, fact("finding.no-progress"), None)

    def _place_of(self, chunk: Chunk, held: Bools, came: Mask, split: Split) -> Site:
        """Return where threads are that do not spin: behind the loop, or at a branch around it."""
        if self._wait.after is not None and (held & came.full).any():
            return self._wait.after
        around = reversed([*split.around, *(each for each in chunk.splits if each is not split)])
        return next((each.site for each in around if (each.mask.full & held).any()), self._site)

    def _tell(self, frame: Frame, lanes: Bools, what: Any, other: Site | None) -> None:
        place = {}
        if other is not None:
            place = name_other(other)
        here = ExecutionPoint(frame.chunk, frame.chunk.everyone, self._site)
        here.report("no-progress", lanes, what, **place)


def _by_warp(lanes: Bools) -> Bools:
    some: Bools = np.logical_or.reduce(lanes.reshape(len(lanes), -1, LANES), axis=-1)
    return some


def _copy(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else value


def _is_same(known: Any, value: Any) -> bool:
    if isinstance(known, np.ndarray) and isinstance(value, np.ndarray):
        return known.shape == value.shape and known.tobytes() == value.tobytes()
    return known is value
