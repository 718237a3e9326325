"""A mock interview on the question screen: with a clock, and a report at its end."""

from __future__ import annotations

from typing import ClassVar

from textual.content import Content

from quizapp.report.numbers import clock_time
from quizapp.report.studying.ratings import left_after
from quizapp.study.mock.interview import Interview
from quizapp.study.mock.probing import MOST_IN_MOCK, ProbedStage
from quizapp.study.values import Turn
from quizapp.tui import feedback
from quizapp.tui.screens.apart import OF_AN_INTERVIEW, ApartScreen
from quizapp.tui.screens.base import QuizScreen, tells
from quizapp.tui.screens.probes import begin_probes
from quizapp.tui.widgets.bars import TopLine

CLOCK_SECONDS = 1.0


class InterviewScreen(ApartScreen):
    """An interview: one stage after the other, until all are asked or the time is up."""

    WITHOUT: ClassVar[frozenset[str]] = OF_AN_INTERVIEW

    def __init__(self, interview: Interview, first: Turn) -> None:
        self._interview = interview
        self._said_time_is_up = False
        self._probed = set[str]()
        """The stages whose kernel was asked about."""
        super().__init__(interview, first)

    def on_mount(self) -> None:
        """Start the clock, which is drawn every second."""
        self.quiz.parting = ""
        self.set_interval(CLOCK_SECONDS, self._tick)

    async def action_back(self) -> None:
        """Leave the field, or the interview, which can be resumed."""
        await super().action_back()
        if self.app.screen is not self and self._interview.record.next_stage is not None:
            below = self.quiz.screen
            text = self.say("mock.left-here", key=self.quiz.key_of("mock"))
            if isinstance(below, QuizScreen) and below.ends_program:
                text = self.quiz.parting = self.say("mock.left-open")
            self.app.notify(text, timeout=5)

    async def next(self, *, typing: bool = True) -> None:
        """Ask about the kernel that passed, once, before the next stage."""
        stage = self._turn.item.question
        asks = stage not in self._probed and self.passed is not None
        if asks and await self._saving.wait():
            self._probed.add(stage)
            self._grading = True
            self._draw_keys()
            self.run_worker(self._probe(stage), group="probes")
        elif not self._cancel_grading():
            await super().next(typing=typing)

    async def _probe(self, stage: str) -> None:
        """Ask about the kernel of a stage while keys work: one of them skips that."""
        about = ProbedStage.of(self._interview.record, stage)
        try:
            asked = await begin_probes(self, MOST_IN_MOCK, about, self.next)
        finally:
            self._grading = False
        if not asked and self.is_current:
            await super().next()

    async def action_practise(self) -> None:
        """Say that code is submitted to be run."""
        await self._refuse()

    def _say_failures(self, failures: int) -> str:
        """Say what the failures cost, and the hints so far."""
        left = left_after(failures, self._attempt.hints)
        return self.say("mock.failures", n=failures, score=left)

    async def _end(self) -> None:
        """Show the report in place of the interview."""
        await self.quiz.report_interview(self._interview.record, instead=True)

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
        return self._attempt.elapsed_at(self._now_ms)

    @tells
    async def _keep_draft(self) -> None:
        """Keep what is half-written, and the time that it has taken."""
        await super()._keep_draft()
        if not self._attempt.is_graded:
            await self.call(self._interview.keep_time, self._turn, self._attempt)

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
