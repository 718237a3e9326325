"""Home: what is due, what is new, what is known of each topic."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content

from quizapp.domain.errors import OK, StoreError
from quizapp.report.dates import date_text
from quizapp.report.words import Words
from quizapp.study import overview
from quizapp.study.values import Home, TopicRow
from quizapp.system.width import columns as cells
from quizapp.tui.keys import SCREENS, bindings
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.widgets.bars import KeyLine, TopLine
from quizapp.tui.widgets.flow import Flow
from quizapp.tui.wrap import pad

_KEYS = ("browse", "statistics", "settings", "help", "quit:end")
PRELOAD_AFTER_S = 0.1
"""Home must be on the terminal first: the imports take turns with whatever is being drawn."""

_BAR = 16


class HomeScreen(QuizScreen):
    """The first screen; every session starts and ends here."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["home"])

    def compose(self) -> ComposeResult:
        """Lay out the lines of the screen."""
        yield TopLine()
        with VerticalScroll(id="body"):
            yield Flow(id="home")
        yield KeyLine("study", *_KEYS)

    def on_mount(self) -> None:
        """Load what the next key will need, once this is drawn."""
        self.set_timer(PRELOAD_AFTER_S, self.quiz.preload)

    async def on_screen_resume(self) -> None:
        """Draw the first time, and when another screen may have changed what is due."""
        await self.redraw()

    async def redraw(self) -> None:
        """Read the facts again and show them."""
        try:
            facts = await self.call(overview.home, self.study)
        except StoreError as error:
            self.quiz.tell(error)
            return
        say = self.say
        day = say("home.day", n=max(1, facts.studied_days))
        self.query_one(TopLine).show(self._title(), f"{date_text(facts.day, say)} · {day}")
        folder = str(self.quiz.paths.own_content)
        lines = home_lines(facts, say, folder)
        self.query_one("#home", Flow).show(lambda width: [cut(line, width) for line in lines])
        first = "study" if facts.due or facts.new or not facts.unseen else "more"
        self.query_one(KeyLine).show(first, *_KEYS)

    def _title(self) -> str:
        """Say what this is, and what the session is narrowed to."""
        say, narrowed = self.say, self.quiz.narrowed
        topic = say.topic(narrowed.topic) if narrowed.topic else ""
        kind = say(f"kind.{narrowed.kind}") if narrowed.kind else ""
        what = " · ".join(name for name in (topic, kind) if name)
        return say("app.title") + (f" · {say('home.filter', what=what)}" if what else "")

    async def action_study(self) -> None:
        """Go on with the session."""
        await self.quiz.study_now()

    async def action_more(self) -> None:
        """Study beyond the day's limit."""
        await self.quiz.study_more()

    async def action_undo(self) -> None:
        """Take the last answer back."""
        await self.quiz.undo()

    async def action_redo(self) -> None:
        """Restore what was undone."""
        await self.quiz.redo()

    async def action_leave(self) -> None:
        """Quit."""
        await self.quiz.leave(OK)

    async def action_back(self) -> None:
        """Do nothing: there is nothing behind home."""


def home_lines(facts: Home, say: Words, folder: str) -> list[Content]:
    """Build the screen's lines between first and last."""
    if not facts.questions:
        return [Content(""), Content(say("home.empty", folder=folder)), *_notes(facts, say)]
    lines = [Content(""), *_today(facts, say), *_notes(facts, say), Content("")]
    return [*lines, _head(say), *(_topic_line(row, say) for row in facts.topics)]


def _today(facts: Home, say: Words) -> list[Content]:
    """Draw due, new, interview, one line each, or when something is next."""
    lines = []
    if not facts.due and not facts.new:
        text = say("home.nothing")
        if facts.next_due_day is not None:
            when = say("home.when-days", n=facts.next_due_day - facts.day)
            text += " " + say("home.next", n=facts.next_due, when=when)
        lines.append(Content(text))
    else:
        unseen = say("home.unseen", n=facts.unseen)
        lines.append(_fact(say("home.due"), facts.due, ""))
        lines.append(_fact(say("home.new"), facts.new, unseen if facts.new else ""))
        lines.append(_fact(say("home.time"), facts.minutes, say("home.about")))
    if facts.interview_in is not None:
        lines.append(_interview(facts, say))
    return lines


def _fact(name: str, number: int, rest: str) -> Content:
    return Content.assemble(pad(name, 12), (f"{number:>4}", "bold"), (f"   {rest}", "dim"))


def _interview(facts: Home, say: Words) -> Content:
    when = say("home.in-days", n=facts.interview_in) if facts.interview_in else say("home.today")
    line = pad(say("home.interview"), 12) + " " + when
    if facts.forecast is not None:
        line += " · " + say("home.forecast", percent=round(100 * facts.forecast))
    return Content(line)


_COLUMNS = (22, _BAR + 8, 6, 6)


def _head(say: Words) -> Content:
    topic, known, due, new = _COLUMNS
    due_word, new_word = say("home.due-column"), say("home.new-column")
    head = pad(say("home.topic"), topic) + pad(say("home.known"), known)
    head += " " * (due - cells(due_word)) + due_word
    head += " " * (new - cells(new_word)) + new_word
    return Content(head + "   " + say("home.hardest")).stylize("dim")


def _topic_line(row: TopicRow, say: Words) -> Content:
    topic, known, due, new = _COLUMNS
    percent = f"{100 * row.known:3.0f} %" if row.seen else say("home.none-seen").rjust(5)
    due_text, new_text = (str(n) if n else "·" for n in (row.due, row.new))
    return Content.assemble(
        pad(say.topic(row.topic), topic),
        (bar(row.known), "$text-accent"),
        pad(f" {percent}", known - _BAR),
        due_text.rjust(due),
        new_text.rjust(new),
        (f"   {row.hardest.replace('-', ' ')}", "dim"),
    )


def _notes(facts: Home, say: Words) -> list[Content]:
    """Draw what needs attention, below the table."""
    notes = []
    if facts.left_out:
        notes.append(Content(say("home.left-out", n=facts.left_out)).stylize("$text-warning"))
    for pack, n in facts.held_back.items():
        notes.append(Content(say("trust.held-back", n=n, pack=pack)).stylize("$text-warning"))
    if facts.drafts:
        notes.append(Content(say("home.drafts", n=facts.drafts)).stylize("dim"))
    return notes


def cut(line: Content, width: int) -> Content:
    """Cut a line of a table to the width: wrapped, it would not be a table."""
    return line if cells(line.plain) <= width else line.truncate(width, ellipsis=True)


def bar(share: float, width: int = _BAR) -> str:
    """Draw a bar of `width` columns, `share` (0–1) of it full."""
    full = round(max(0.0, min(1.0, share)) * width)
    return "█" * full + "░" * (width - full)
