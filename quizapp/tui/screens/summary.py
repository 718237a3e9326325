"""The end of a session: what it came to, and what comes tomorrow."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from quizapp.report.studying import day_card
from quizapp.report.words import Words
from quizapp.study.day_card import DayCard
from quizapp.study.values import Summary
from quizapp.tui.keys import SCREENS, bindings
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.widgets.bars import KeyLine, TopLine
from quizapp.tui.widgets.page import style_line
from quizapp.tui.wrap import pad


class SummaryScreen(QuizScreen):
    """Shown when no question is left."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["summary"])

    def __init__(self, summary: Summary, card: DayCard) -> None:
        super().__init__()
        self._summary, self._card = summary, card

    def compose(self) -> ComposeResult:
        """Lay out the lines of the screen."""
        yield TopLine()
        with VerticalScroll(id="body"):
            yield Static(id="lines", markup=False)
        yield KeyLine("home", "more", "undo", "statistics", "browse", "help")

    def on_screen_resume(self) -> None:
        """Draw it; again when the settings may have changed the language."""
        self.query_one(TopLine).show(self.say("app.title"), self.say("summary.title"))
        lines = Content("\n").join(summary_lines(self._summary, self._card, self.say))
        self.query_one("#lines", Static).update(lines)

    async def action_more(self) -> None:
        """Study beyond the day's limit."""
        self.app.pop_screen()
        await self.quiz.study_more()

    async def action_undo(self) -> None:
        """Take the last answer back, and ask it."""
        await self.quiz.undo(self._go_on)

    async def _go_on(self) -> None:
        self.app.pop_screen()
        await self.quiz.study_now()


def summary_lines(summary: Summary, card: DayCard, say: Words) -> list[Content]:
    """Draw what the session came to, and what the day taught so far."""
    if not summary.answered:
        return [Content(""), Content(say("summary.none"))]
    minutes = max(1, round(summary.duration_ms / 60_000))
    facts = [
        ("summary.answered", str(summary.answered)),
        ("summary.right", str(summary.right)),
        ("summary.new", str(summary.new)),
        ("summary.repeats", str(summary.repeats)),
        *([("summary.practice", str(summary.practice))] if summary.practice else []),
        ("summary.time", say("minutes", n=minutes)),
        *([("summary.again", str(summary.again_today))] if summary.again_today else []),
        ("summary.tomorrow", str(summary.due_tomorrow)),
    ]
    lines = [Content(""), Content(say("summary.done")).stylize("bold"), Content("")]
    lines += [Content(pad(say(key), 18) + f"{value:>8}") for key, value in facts]
    lines += [style_line(line) for line in day_card.topic_lines(card, say)]
    return lines
