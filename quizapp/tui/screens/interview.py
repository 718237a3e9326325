"""A mock interview on the question screen: with a clock, and without what a card has."""

from __future__ import annotations

from typing import ClassVar

from textual.content import Content

from quizapp.report.numbers import clock_time
from quizapp.study.asking import Asking
from quizapp.study.interview import Interview
from quizapp.study.values import Turn
from quizapp.tui import feedback
from quizapp.tui.screens.question import QuestionScreen
from quizapp.tui.widgets.bars import TopLine

CLOCK_SECONDS = 1.0


class InterviewScreen(QuestionScreen):
    """An interview: one stage after the other, until all are asked or the time is up."""

    WITHOUT: ClassVar[frozenset[str]] = frozenset(
        {"bury", "suspend", "flag", "redo", "edit", "browse"}
    )

    def __init__(self, interview: Interview, first: Turn) -> None:
        self._interview = interview
        self._said_time_is_up = False
        super().__init__(first)

    @property
    def asks(self) -> Asking:
        """The interview."""
        return self._interview

    def on_mount(self) -> None:
        """Start the clock, which is drawn every second."""
        self.set_interval(CLOCK_SECONDS, self._tick)

    def can_work(self, binding_id: str) -> bool:
        """Return True if a binding does something in this phase of this stage."""
        if binding_id == "undo":
            return bool(self._interview.record.answers)
        if self._attempt.is_graded and binding_id.startswith("digit-"):
            return False
        return binding_id not in self.WITHOUT and super().can_work(binding_id)

    async def action_undo(self) -> None:
        """Take the latest answer back and ask it again."""
        await self._keep_draft()
        if self._saving is not None:
            await self._saving
        taken = await self.call(self._interview.take_back)
        said = "mock.taken-back" if taken else "study.nothing-to-undo"
        self.notify(self.say(said), timeout=3)
        await self._after_change()

    async def action_redo(self) -> None:
        """Say that there is no such thing here."""
        self._refuse()

    async def action_bury(self) -> None:
        """Say that there is no such thing here."""
        self._refuse()

    async def action_suspend(self) -> None:
        """Say that there is no such thing here."""
        self._refuse()

    async def action_flag(self) -> None:
        """Say that there is no such thing here."""
        self._refuse()

    def action_browse(self) -> None:
        """Say that there is no such thing here."""
        self._refuse()

    async def action_edit(self) -> None:
        """Say that there is no such thing here."""
        self._refuse()

    async def action_back(self) -> None:
        """Leave the field, or the interview, which can be resumed."""
        await super().action_back()
        if self.app.screen is not self and self._interview.record.next_stage is not None:
            key = self.quiz.key_of("mock")
            self.app.notify(self.say("mock.left-here", key=key), timeout=5)

    async def _end(self) -> None:
        """Show the report in place of the interview."""
        await self.quiz.report_interview(self._interview.record, instead=True)

    def _refuse(self) -> None:
        self.notify(self.say("mock.not-here"), timeout=3)

    # The clock

    def _tick(self) -> None:
        """Draw the clock while an answer is open."""
        if not self.is_current or not self._attempt.is_open:
            return
        self._draw_top()
        over = self._stage_ms + self._interview.record.elapsed_ms >= self._interview.record.limit_ms
        if over and not self._said_time_is_up:
            self._said_time_is_up = True
            self.notify(self.say("mock.time-up"), severity="warning", timeout=6)

    @property
    def _stage_ms(self) -> int:
        """The time that the answer at hand has taken so far."""
        return max(0, self._now_ms - self._attempt.began_ms)

    def _draw_top(self) -> None:
        """Draw where this is and the clock; the verdict once there is one."""
        if not self._attempt.is_open:
            super()._draw_top()
            return
        record, par = self._interview.record, self._interview.par_ms(self._turn)
        text = self.say(
            "mock.clock-now",
            stage=clock_time(self._stage_ms),
            par=clock_time(par),
            elapsed=clock_time(record.elapsed_ms + self._stage_ms),
            limit=clock_time(record.limit_ms),
        )
        style = "$text-warning" if self._stage_ms > par else "dim"
        place = feedback.place(self._turn, self.say)
        self.query_one(TopLine).show(place, Content(text).stylize(style))
