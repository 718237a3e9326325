"""Questions about the kernel that just passed, on a question screen above its feedback."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from typing import TYPE_CHECKING, ClassVar

from quizapp.domain.errors import Cancelled, QuizError
from quizapp.report.content import probes as probe_text
from quizapp.study.mock.probing import ProbedStage, Probing
from quizapp.study.values import Turn
from quizapp.tui.screens.apart import OF_AN_INTERVIEW, ApartScreen

if TYPE_CHECKING:
    from quizapp.exercises.kernels import CheckedKernel
    from quizapp.tui.attempts.attempt import AttemptScreen

Then = Callable[[], Awaitable[None]]


class ProbeScreen(ApartScreen):
    """One question after the other; then what is below, or what comes after it."""

    def __init__(self, probing: Probing, first: Turn, then: Then | None) -> None:
        super().__init__(probing, first)
        self._then = then

    async def _end(self) -> None:
        """Go back to the feedback, or on from it."""
        self.app.pop_screen()
        if self._then is not None:
            await self._then()


class MockProbeScreen(ProbeScreen):
    """The questions about a kernel of a mock interview, in which every answer stands."""

    WITHOUT: ClassVar[frozenset[str]] = OF_AN_INTERVIEW


async def begin_probes(
    below: AttemptScreen, most: int, stage: ProbedStage | None = None, then: Then | None = None
) -> bool:
    """Make questions from a kernel that passed and ask them; return False if there are none.

    `below`: the screen with the kernel's feedback. `stage`: of a mock interview, if it is one.
    `then`: what comes after them; None: the feedback again.
    """
    passed = below.passed
    if passed is None:
        return False
    turn, checked = passed
    making = asyncio.create_task(asyncio.to_thread(below.study.examiner.probe, checked))
    try:
        await _tell_while(making, below, passed)
        made = await making
    except Cancelled:
        return False
    except QuizError as error:
        below.quiz.tell(error)
        return False
    probes = probe_text.choose(made, turn.entry.id, most, stage)
    if not probes:
        below.notify(below.say("probe.none" if stage is None else "probe.none-in-mock"), timeout=3)
        return False
    if not below.is_current or below.passed != passed:
        return False
    probing = Probing(below.study, turn, probes, stage)
    first = probing.next()
    assert first is not None
    screen = ProbeScreen if stage is None else MockProbeScreen
    below.app.push_screen(screen(probing, first, then))
    if stage is not None:
        below.app.notify(below.say("probe.counts"), timeout=6)
    return True


async def _tell_while(
    making: asyncio.Task[object], below: AttemptScreen, passed: tuple[Turn, CheckedKernel]
) -> None:
    """Say since when questions are made, as long as the screen still shows that kernel."""
    for seconds in count():
        if below.is_current and below.passed == passed:
            below.tell_probing(None if making.done() else seconds)
        if making.done():
            return
        await asyncio.wait({making}, timeout=1)
