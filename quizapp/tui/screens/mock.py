"""Mock interviews: what can be begun or resumed, and the reports on earlier ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar, NamedTuple

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from quizapp.deck.content import content_roots
from quizapp.domain.interview_theme import INTERVIEW_STYLES, InterviewStyle
from quizapp.domain.log.interview import InterviewRecord
from quizapp.domain.question import prose
from quizapp.report.dates import date_text
from quizapp.report.numbers import percent
from quizapp.report.studying import ratings
from quizapp.report.studying.interview import place_fields, themes
from quizapp.study.mock import interviews
from quizapp.study.mock.interview import Themes
from quizapp.study.mock.interview_report import InterviewReport, reports
from quizapp.tui.keys import SCREENS, bindings
from quizapp.tui.screens.base import QuizScreen, tells
from quizapp.tui.widgets.bars import KeyLine, TopLine
from quizapp.tui.widgets.flow import Flow
from quizapp.tui.widgets.rows import Rows
from quizapp.tui.wrap import clip

LEAST_MINUTES, MOST_MINUTES = 5, 120


class MockRow(NamedTuple):
    """A row: an interview to resume, a theme to begin ("" for any), or a report to read."""

    text: str
    resumes: bool = False
    theme: str = ""
    report: InterviewReport | None = None


class MockScreen(QuizScreen):
    """The themes, with the style and the length of the interview above them."""

    DEFAULT_CSS = """
    MockScreen {
        #what { margin: 1 0; padding: 0 2; }
        #chosen { padding: 0 2; margin-bottom: 1; }
    }
    """
    AUTO_FOCUS = "#rows"
    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["mock"])

    def __init__(self, style: InterviewStyle | None = None, minutes: int | None = None) -> None:
        super().__init__()
        self._style: InterviewStyle = style or "onsite"
        self._minutes = minutes or interviews.DEFAULT_MINUTES
        self._themes: Themes = {}
        self._listed: tuple[MockRow, ...] = ()

    def compose(self) -> ComposeResult:
        """Lay out what this is, what is chosen, and the rows."""
        yield TopLine()
        yield Flow(id="what")
        yield Flow(id="chosen")
        yield Rows(id="rows")
        yield KeyLine()

    def on_screen_resume(self) -> None:
        """Read again: an interview may have been held, and the language may be another."""
        self._redraw()
        self._read()

    def _redraw(self) -> None:
        say = self.say
        self.query_one(TopLine).show(say("key.mock"))
        scoring = ratings.scoring(say, asked=self.quiz.settings.confidence)
        self.query_one("#what", Flow).write(f"{say('mock.what')}\n{scoring}")
        chosen = say(
            "mock.settings",
            style=say(f"mock.style.{self._style}"),
            minutes=say("minutes", n=self._minutes),
        )
        self.query_one("#chosen", Flow).write(chosen, "bold")
        self._show_keys()

    @work(exclusive=True)
    @tells
    async def _read(self) -> None:
        self._themes, record, earlier = await self.call(self._collect)
        rows, could_resume = self.query_one(Rows), any(each.resumes for each in self._listed)
        self._listed = tuple(self._rows(record, earlier))
        was_left = record is not None and not could_resume
        rows.show(len(self._listed), self._draw_row, 0 if was_left else rows.cursor)
        self._show_keys()

    def _collect(self) -> tuple[Themes, InterviewRecord | None, list[InterviewReport]]:
        roots = content_roots(self.quiz.paths, self.quiz.settings)
        themes = interviews.load_themes(self.study, roots)
        return themes, interviews.unfinished(self.study), reports(self.study, themes)

    def _rows(
        self, record: InterviewRecord | None, earlier: list[InterviewReport]
    ) -> Iterator[MockRow]:
        say = self.say
        if record is not None:
            yield MockRow(say("mock.row.resume", **place_fields(record, say)), resumes=True)
        if self._themes:
            yield MockRow(say("mock.row.any"))
        for name, theme in self._themes.items():
            minutes = say("minutes", n=round(theme.minutes))
            title = prose(theme.title, say.language)
            yield MockRow(say("mock.row.theme", title=title, minutes=minutes), theme=name)
        for report in reversed(earlier):
            score = percent(report.told_score)
            if report.ending != "done":
                ending = say(f"mock.ending.{report.ending}")
                score = say("mock.row.partly", score=score, ending=ending)
            text = say(
                "mock.row.report",
                number=report.number,
                date=date_text(report.day, say),
                score=score,
                themes=themes(report, say),
            )
            yield MockRow(text, report=report)

    def _draw_row(self, position: int, width: int) -> Content:
        row = self._listed[position]
        text = Content(clip(row.text, width))
        return text.stylize("dim") if row.report is not None else text

    # What a person does

    def action_move(self, rows: int) -> None:
        """Move to another row."""
        self.query_one(Rows).move(rows)

    def action_switch_style(self) -> None:
        """Choose the other style."""
        self._style = next(style for style in INTERVIEW_STYLES if style != self._style)
        self._redraw()

    def action_lengthen(self, minutes: int) -> None:
        """Make the interview longer or shorter."""
        wanted = self._minutes + minutes
        self._minutes = max(LEAST_MINUTES, min(MOST_MINUTES, wanted))
        self._redraw()

    async def action_open(self) -> None:
        """Begin, resume, or show the report, as the row says."""
        row = self._row
        if row is None:
            return
        if row.report is not None:
            await self.quiz.open_report(row.report.number)
        elif row.resumes:
            await self.quiz.resume_interview()
        else:
            what = (self.study, self._themes, self._style, self._minutes, row.theme or None)
            await self.quiz.begin_interview(partial(interviews.begin, *what))

    def on_rows_moved(self) -> None:
        """Say what enter does with this row."""
        self._show_keys()

    async def on_rows_clicked(self) -> None:
        """Open what was clicked twice."""
        await self.run_action("open")

    # Inside

    @property
    def _row(self) -> MockRow | None:
        cursor = self.query_one(Rows).cursor
        return self._listed[cursor] if cursor < len(self._listed) else None

    def _show_keys(self) -> None:
        reads = self._row is not None and self._row.report is not None
        first = "open:mock-report" if reads else "open:begin"
        back = "back:end" if self.ends_program else "back"
        keys = (first, "mock-style", "mock-longer", "mock-shorter", "help", back)
        self.query_one(KeyLine).show(*keys)
