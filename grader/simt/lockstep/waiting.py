"""Ends a launch whose threads wait in a loop for what no thread that can go on will change.

A round of a loop that only waits is compared with the one before, now and then: if neither a
variable that decides nor an atomic's memory has changed, no later round will differ.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.checks.counters import Site
from grader.simt.machine.chunk import ExecutionPoint, NoProgress
from grader.simt.machine.frame import Frame
from grader.simt.masks import LANES, Bools, Mask
from grader.simt.program.waiting import Wait

_ROUNDS = 256
"""Rounds from one comparison to the next, less than a second."""


class WaitingLoop:
    """Looks at the rounds of one loop."""

    def __init__(self, wait: Wait, site: Site) -> None:
        self._wait = wait
        self._site = site
        self._before: dict[str, Any] = {}

    def begin_round(self, frame: Frame, rounds: int) -> None:
        """Keep what decides, where this round is to be compared."""
        if rounds % _ROUNDS:
            return
        values = frame.values
        self._before = {name: _copy(values.get(name)) for name in self._wait.names}
        frame.chunk.launch.changes = 0

    def end_round(self, frame: Frame, came: Mask, going: Mask, rounds: int) -> None:
        """Compare.

        Raises:
            NoProgress: the round has changed nothing.
        """
        launch = frame.chunk.launch
        if rounds % _ROUNDS or launch.changes is None:
            return
        changed, launch.changes = launch.changes, None
        if changed or not all(
            _is_same(known, frame.values.get(name)) for name, known in self._before.items()
        ):
            return
        self._report(frame, came, going)
        raise NoProgress

    def _report(self, frame: Frame, came: Mask, going: Mask) -> None:
        """Say who spins, and where those are that can go on only afterwards."""
        chunk, spinning = frame.chunk, going.full
        others = chunk.everyone.full & ~spinning & ~chunk.exited
        warps = np.repeat(_by_warp(spinning), LANES, axis=-1)
        blocks: Bools = np.broadcast_to(
            np.logical_or.reduce(spinning, axis=1, keepdims=True), spinning.shape
        )
        left = others & came.full  # a lock is theirs, rather than of threads that never came
        for held in (left, others):
            for same_warp, near in ((True, warps), (False, blocks)):
                if not (held & near).any():
                    continue
                site = self._place_of(frame, held & near, came)
                thread = str(chunk.thread(int(np.argmax(held & near)))[1])
                what = (
                    fact("finding.no-progress.warp", thread=thread, line=site.line)
                    if same_warp
                    else fact("finding.no-progress.block", thread=thread, line=site.line)
                )
                self._tell(frame, spinning & near, what, site)
                return
        self._tell(frame, spinning, fact("finding.no-progress"), None)

    def _place_of(self, frame: Frame, held: Bools, came: Mask) -> Site:
        """Return where threads are that do not spin: behind the loop, or at a branch around it."""
        if (held & came.full).any():
            return self._wait.after or self._site
        around = frame.chunk.splits[:-1][::-1]
        return next((split.site for split in around if (split.mask.full & held).any()), self._site)

    def _tell(self, frame: Frame, lanes: Bools, what: Any, other: Site | None) -> None:
        place = {}
        if other is not None:
            place = {
                "other_line": other.line, "other_column": other.column, "other_file": other.file,
            }  # fmt: skip
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
