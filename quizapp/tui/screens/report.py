"""The report on a mock interview: to be read, exported, and turned into tomorrow's queue."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content

from quizapp.domain.errors import EnvironmentProblem
from quizapp.domain.log.interview import InterviewRecord
from quizapp.report.studying import interview as interview_text
from quizapp.study.mock import interviews
from quizapp.study.mock.interview import Themes
from quizapp.study.mock.interview_report import InterviewReport, report
from quizapp.system.files import find_free, replace_file
from quizapp.tui.keys import SCREENS, bindings
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.screens.confirm import Confirm
from quizapp.tui.widgets.bars import KeyLine, TopLine
from quizapp.tui.widgets.flow import Flow
from quizapp.tui.widgets.page import style_line


class ReportScreen(QuizScreen):
    """One report, which scrolls."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["report"])

    def __init__(self, themes: Themes, record: InterviewRecord) -> None:
        super().__init__()
        self._themes = themes
        self._record = record
        self._report: InterviewReport | None = None

    def compose(self) -> ComposeResult:
        """Lay out the page."""
        yield TopLine(self.say("mock.report"))
        with VerticalScroll(id="body"):
            yield Flow(id="page")
        yield KeyLine("mock-queue", "mock-export", "undo", "up:scroll", "help", "back")

    def on_mount(self) -> None:
        """Scroll by the usual keys."""
        self.query_one("#body").focus()

    async def on_screen_resume(self) -> None:
        """Draw it; again when the language may have changed."""
        await self.redraw()

    async def redraw(self) -> None:
        """Read the interview again and draw it."""
        found = self._report = await self.call(self._read)
        say, deck = self.say, self.study.deck
        self.query_one(TopLine).show(say("mock.report"), interview_text.date(found, say))
        lines = [style_line(line) for line in interview_text.lines(found, deck, say)]
        self.query_one(Flow).show(lambda _: [Content(""), *lines])

    def _read(self) -> InterviewReport:
        self._record = interviews.find_id(self.study, self._record.id)
        return report(self.study, self._themes, self._record)

    def can_work(self, binding_id: str) -> bool:
        """Return True if a binding does something with this report."""
        if binding_id == "mock-queue":
            found = self._report
            return found is not None and bool(found.to_study) and not found.queued
        return True

    def action_move(self, rows: int) -> None:
        """Scroll."""
        self.query_one("#body").scroll_relative(y=rows, animate=False)

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
