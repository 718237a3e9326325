"""The report on a mock interview: to be read, exported, and turned into tomorrow's queue.

Enter on the marked stage, at first the costliest, goes through the answers, once it is over.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content

from quizapp.domain.errors import EnvironmentProblem
from quizapp.domain.log.interview import InterviewRecord
from quizapp.report.studying import interview as interview_text
from quizapp.study.mock import interviews
from quizapp.study.mock.interview import Themes
from quizapp.study.mock.interview_report import InterviewReport, report
from quizapp.study.mock.walkthrough import Walkthrough
from quizapp.system.files import find_free, replace_file
from quizapp.tui.keys import SCREENS, bindings
from quizapp.tui.screens.base import PageScreen
from quizapp.tui.screens.confirm import Confirm
from quizapp.tui.screens.walkthrough import WalkthroughScreen
from quizapp.tui.widgets.bars import KeyLine, TopLine
from quizapp.tui.widgets.flow import Flow
from quizapp.tui.widgets.page import style_line


class ReportScreen(PageScreen):
    """One report."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["report"])
    HEADING = "mock.report"

    def __init__(self, themes: Themes, record: InterviewRecord) -> None:
        super().__init__()
        self._themes = themes
        self._record = record
        self._report: InterviewReport | None = None
        self._walkthrough: Walkthrough | None = None
        self._at = 0
        """The place of the walkthrough that is marked."""

    async def on_screen_resume(self) -> None:
        """Draw it; again when the language may have changed."""
        await self.redraw()

    async def redraw(self) -> None:
        """Read the interview again and draw it."""
        found = self._report = await self.call(self._read)
        say = self.say
        self.query_one(TopLine).show(say(self.HEADING), interview_text.date(found, say))
        keys = ("mock-queue", "mock-export", "undo", "up:scroll")
        if self._marked:
            keys = ("open:mock-answers", "mock-queue", "mock-export", "next:next-stage")
        self.query_one(KeyLine).show(*keys, "help", "back")
        self._draw()

    def _draw(self) -> None:
        assert self._report is not None
        written = interview_text.lines(self._report, self.study.deck, self.say, self._marked)
        lines = [style_line(line) for line in written]
        self.query_one(Flow).show(lambda _: [Content(""), *lines])

    @property
    def _marked(self) -> str:
        """The id of the stage that enter shows; empty before the interview is over."""
        going = self._walkthrough
        return going.places[self._at].stage if going is not None and going.places else ""

    def _read(self) -> InterviewReport:
        self._record = interviews.find_id(self.study, self._record.id)
        found = report(self.study, self._themes, self._record)
        if found.is_asked_through and self._walkthrough is None:
            going = self._walkthrough = Walkthrough(self.study, self._themes, self._record)
            costliest = (going.find(found.number_of(stage)) for stage, _ in found.weaknesses)
            self._at = next(costliest, None) or 0
        return found

    def can_work(self, binding_id: str) -> bool:
        """Return True if a binding does something with this report."""
        if binding_id == "mock-queue":
            found = self._report
            return found is not None and found.can_queue
        return binding_id not in ("open", "next", "previous") or bool(self._marked)

    def action_turn(self, by: int) -> None:
        """Mark another stage."""
        if self._walkthrough is None or not self._marked:
            return
        places = self._walkthrough.places
        stages = [i for i, place in enumerate(places) if place.probe is None]
        at = stages.index(self._at) + by
        self._at = stages[max(0, min(at, len(stages) - 1))]
        self._draw()
        self.call_after_refresh(self._show_mark)

    def _show_mark(self) -> None:
        """Scroll so that the mark is seen."""
        line = self.query_one(Flow).find(interview_text.MARK)
        body = self.query_one("#body")
        top, room = body.scroll_offset.y, body.size.height
        if not top <= line < top + room:
            body.scroll_to(y=max(0, line - room // 2), animate=False)

    async def action_open(self) -> None:
        """Go through the answers, from the marked stage on."""
        going = self._walkthrough
        if going is None or not self._marked:
            self.notify(self.say("mock.withheld"), timeout=4)
            return
        turn = await self.call(going.turn_at, going.places[self._at])
        if turn is None:
            self.notify(self.say("mock.stage-changed"), timeout=4)
        else:
            self.app.push_screen(WalkthroughScreen(going, turn, self._at))

    async def action_queue(self) -> None:
        """Put what failed at the head of tomorrow's queue."""
        if not self.can_work("mock-queue"):
            self.notify(self.say("mock.nothing-to-queue"), timeout=3)
            return
        queue = interviews.queue_failures
        n = await self.call(queue, self.study, self._themes, self._record)
        self.notify(self.say("mock.queued", n=n), timeout=4)
        await self.redraw()

    def action_export(self) -> None:
        """Ask before the report is written into the working directory, over no file."""
        if self._report is None:
            return
        stem = Path.cwd() / f"mock-interview-{self._report.number}"
        files = find_free(stem, ".md", ".html")
        question = self.say("mock.export-ask", path=files[1])
        self.app.push_screen(Confirm(question, self.say), partial(self._export, files))

    def _export(self, files: tuple[Path, ...], meant: bool | None) -> None:  # noqa: FBT001 - Textual's
        """Write the report as Markdown and as HTML, if that was meant."""
        if not meant or self._report is None:
            return
        text, page = files
        found, deck, say = self._report, self.study.deck, self.say
        try:
            replace_file(text, interview_text.markdown(found, deck, say).encode())
            replace_file(page, interview_text.html(found, deck, say))
        except EnvironmentProblem as error:
            self.quiz.tell(error)
        else:
            self.notify(say("mock.exported-both", path=page), timeout=6, markup=False)
