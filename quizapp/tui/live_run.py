"""Runs code while it is being written: after a pause in typing, away from the thread that draws.

A newer run ends an older one, so an endless loop delays nothing. Nothing of it is stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from textual.css.query import NoMatches

from quizapp.domain.question import Index, Kernel
from quizapp.domain.starters import is_starter
from quizapp.study.examiner import Examiner
from quizapp.study.values import Turn

if TYPE_CHECKING:
    from textual.screen import Screen

    from quizapp.exercises.kernels import CheckedKernel  # NumPy, 80 ms
    from quizapp.exercises.layouts import CheckedLayout

    Checked = CheckedKernel | CheckedLayout

PAUSE_SECONDS = 0.2
"""Without a key for so long, the person looks at what they wrote."""


class LiveRun:
    """What is run, and when. `typed` after each change; `stop` when it is not wanted any more."""

    def __init__(
        self,
        screen: Screen[None],
        examiner: Examiner,
        written: Callable[[], str],
        show: Callable[[Turn, Checked], None],
    ) -> None:
        """Nothing is run yet.

        `written`: returns the code as it stands. `show`: takes what came of it.
        """
        self._screen = screen
        self._examiner = examiner
        self._written = written
        self._show = show
        self._turn: Turn | None = None
        self._pause = screen.set_interval(PAUSE_SECONDS, self._begin, pause=True)

    def typed(self, turn: Turn) -> None:
        """Run the code of a question once nothing was typed for a while."""
        self._turn = turn
        self._pause.reset()
        self._pause.resume()

    def stop(self) -> None:
        """Run nothing."""
        self._turn = None
        self._pause.pause()
        self._examiner.stop_observing()

    def _begin(self) -> None:
        self._pause.pause()
        if self._turn is not None:
            self._screen.run_worker(self._run(self._turn), group="live", exclusive=True)

    async def _run(self, turn: Turn) -> None:
        question, source = turn.question, self._written()
        if not isinstance(question, Index | Kernel) or not source.strip():
            return
        observe = self._examiner.observe
        whole = turn.grades_live and not is_starter(source, question.starter)
        checked = await asyncio.to_thread(observe, question, source, whole=whole)
        if checked is None or turn is not self._turn or not self._screen.is_attached:
            return
        with suppress(NoMatches):  # the screen is being taken down
            if source == self._written():
                self._show(turn, checked)
