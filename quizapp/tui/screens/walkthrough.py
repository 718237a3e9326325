"""The answers of an interview that is over, on a question screen: each with all that is said of it.

What only a run tells is run again while the rest is read.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from quizapp.domain.errors import Cancelled, QuizError
from quizapp.report.content import probes as probe_text
from quizapp.study.mock.walkthrough import AnswerPlace, Walkthrough, run_code, runs_again
from quizapp.study.values import Turn
from quizapp.tui.keys import SCREENS, bindings
from quizapp.tui.screens.apart import OF_AN_INTERVIEW, ApartScreen

if TYPE_CHECKING:
    from quizapp.study.mock.probing import Probe


class WalkthroughScreen(ApartScreen):
    """One stage, and keys to the others."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["walkthrough"])
    WITHOUT: ClassVar[frozenset[str]] = OF_AN_INTERVIEW

    def __init__(self, walkthrough: Walkthrough, first: Turn, at: int) -> None:
        self._walkthrough = walkthrough
        self._at = at
        self._made: dict[str, list[Probe]] = {}
        """By stage, the questions about its kernel."""
        super().__init__(walkthrough.interview, first)

    def put(self, turn: Turn, *, typing: bool = True) -> None:
        """Show a stage; what a run tells of it comes when that is over."""
        super().put(turn, typing=typing)
        self.run_worker(self._run(turn), group="run", exclusive=True)

    async def next(self, *, typing: bool = True) -> None:
        """Go on; after the last stage, back to the report."""
        del typing  # nothing is written here
        await self.action_turn(1)

    async def action_turn(self, by: int) -> None:
        """Go to another stage; past the last one, back to the report."""
        at = self._at + by
        if at == len(self._walkthrough.places):
            await self._leave()
        elif at >= 0:
            self._at = at
            going = self.run_worker(self._go_to(at), group="go", exclusive=True)
            if self._walkthrough.places[at].probe is None:  # else kernels run: keys must not wait
                await going.wait()

    async def _go_to(self, at: int) -> None:
        """Show the stage, or the question about a kernel, at this position."""
        place = self._walkthrough.places[at]
        try:
            if place.probe is None:
                turn = await self.call(self._walkthrough.turn_at, place)
            else:
                made = await self._make_probes(place.stage)
                turn = await self.call(self._walkthrough.probe_at, place, made)
        except Cancelled:
            return
        except QuizError as error:
            self.quiz.tell(error)
            return
        if turn is None:
            self.notify(self.say("mock.stage-changed"), timeout=4)
        elif self.is_attached:
            self.put(turn)

    async def _make_probes(self, stage: str) -> list[Probe]:
        """Make all questions about the kernel of a stage again; once."""
        if stage not in self._made:
            self._view.note(self.say("mock.running-again"))
            turn = await self.call(self._walkthrough.turn_at, AnswerPlace(stage))
            assert turn is not None
            examiner = self.asks.examiner
            made = await asyncio.to_thread(probe_text.make_again, turn, examiner)
            self._made[stage] = made
        return self._made[stage]

    async def _run(self, turn: Turn) -> None:
        """Run what was answered once more, where that tells something."""
        attempt = self._attempt
        self._view.note(self.say("mock.running-again") if runs_again(attempt) else "")
        try:
            attempt = await self._reveal_key(attempt)
            attempt = await asyncio.to_thread(run_code, attempt, self.asks.examiner)
        except Cancelled:
            return
        except QuizError as error:
            self.quiz.tell(error)
            return
        finally:
            if self.is_attached:
                self._view.note("")
        self._attempt = attempt
        self._draw()

    def _list_keys(self) -> tuple[str, ...]:
        keys = super()._list_keys()
        return (keys[0], "previous", *keys[1:]) if self._at else keys
