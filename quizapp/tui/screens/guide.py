"""Help: the keys, how answers are graded, and the glossary, all of it searchable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from quizapp.deck.glossary import Term, read_terms
from quizapp.domain.order import KINDS_BY_EFFORT
from quizapp.system.paths import shipped_content
from quizapp.tui.keys import EVERYWHERE, KEYS, SCREENS, bindings
from quizapp.tui.preview import PreviewScreen
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.screens.browser import BrowserScreen
from quizapp.tui.screens.home import HomeScreen
from quizapp.tui.screens.mock import MockScreen
from quizapp.tui.screens.placement import PlacedScreen
from quizapp.tui.screens.plan import PlanScreen
from quizapp.tui.screens.plan_form import PlanFormScreen
from quizapp.tui.screens.question import QuestionScreen
from quizapp.tui.screens.report import ReportScreen
from quizapp.tui.screens.settings import SettingsScreen
from quizapp.tui.screens.statistics import StatisticsScreen
from quizapp.tui.screens.summary import SummaryScreen
from quizapp.tui.screens.welcome import WelcomeScreen
from quizapp.tui.widgets.bars import KeyLine, TopLine
from quizapp.tui.widgets.field import SearchLine
from quizapp.tui.widgets.flow import Flow, wrap
from quizapp.tui.widgets.inspector import Inspector
from quizapp.tui.wrap import pad

_SCREENS: tuple[tuple[str, type[Widget]], ...] = (
    ("home", HomeScreen), ("question", QuestionScreen),
    ("inspector", Inspector), ("summary", SummaryScreen),
    ("browser", BrowserScreen), ("statistics", StatisticsScreen),
    ("mock", MockScreen), ("report", ReportScreen),
    ("placed", PlacedScreen), ("plan", PlanScreen),
    ("plan-form", PlanFormScreen), ("settings", SettingsScreen),
    ("welcome", WelcomeScreen), ("preview", PreviewScreen),
)  # fmt: skip
_TEXTS = {
    "guide.kind": KINDS_BY_EFFORT,
    "guide.grading": ("choice", "number", "recall"),
    "guide.rating": ("again", "hard", "good", "easy", "override", "schedule", "day"),
    "guide.signs": ("text",),
}
_KEY, _KEY_COLUMNS, _GAP = 8, 37, 2
"""Columns of a key's name, of a name with what the key does, and of what is empty after both."""
_INDENT = 2


@dataclass(frozen=True, slots=True)
class _Entry:
    """One thing to look up: a key with what it does, a term with its meaning, or only a text.

    It is also found by `other_names`, which are not shown.
    """

    name: str
    text: str
    key: bool = False
    other_names: tuple[str, ...] = ()

    def matches(self, words: Sequence[str]) -> bool:
        """Return True if every word occurs in it."""
        whole = "\n".join([self.name, self.text, *self.other_names]).casefold()
        return all(word in whole for word in words)

    def lines(self, width: int) -> Iterator[Content]:
        """Draw the name, and the text below it."""
        if self.name:
            yield Content(self.name).stylize("$text-accent")
        yield from wrap(self.text, width, _INDENT)


class GuideScreen(QuizScreen):
    """Opened over any screen, whose keys come first."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["guide"])
    _body = getters.query_one("#body", VerticalScroll)

    def __init__(self, binding_ids: tuple[str, ...], query: str = "") -> None:
        """Open for a screen with these bindings, at what is searched for."""
        super().__init__()
        self._query = query
        self._here = tuple(dict.fromkeys(binding_ids))
        self._terms: tuple[Term, ...] = ()

    def compose(self) -> ComposeResult:
        """Lay out search line and page."""
        yield TopLine(self.say("guide.title"))
        yield SearchLine(self.say, "guide.search", self.quiz.key_of("search"))
        with VerticalScroll(id="body"):
            yield Flow(id="page")
        yield KeyLine("search", "guided", "settings", "palette:everything", "back")

    async def on_mount(self) -> None:
        """Show keys at once; the glossary when it is read."""
        self.query_one("#search", Input).value = self._query
        self._body.focus()
        self._redraw()
        self._terms = await self.call(read_terms, shipped_content())
        self._redraw()

    def on_screen_resume(self) -> None:
        """Draw again: the settings, opened from here, may have changed language or keys."""
        self.query_one(SearchLine).speak(self.say)
        self._redraw()

    def action_search(self) -> None:
        """Go to the search line."""
        self.query_one("#search", Input).focus()

    def action_move(self, rows: int) -> None:
        """Scroll."""
        self._body.scroll_relative(y=rows, animate=False)

    async def action_back(self) -> None:
        """Leave the search line, the search, the screen: one at a time."""
        search = self.query_one("#search", Input)
        if search.has_focus:
            self._body.focus()
        elif search.value:
            search.value = ""
        else:
            await super().action_back()

    async def action_leave(self) -> None:
        """Leave the screen at once."""
        await super().action_back()

    def on_input_changed(self) -> None:
        """Search while typing."""
        self._redraw()

    def on_input_submitted(self) -> None:
        """Go to what was found."""
        self._body.focus()

    def _redraw(self) -> None:
        words = self.query_one("#search", Input).value.casefold().split()
        sections = [
            (heading, found)
            for heading, entries in self._sections()
            if (found := [entry for entry in entries if entry.matches(words)])
        ]
        none = self.say("guide.none")
        self.query_one(Flow).show(lambda width: _page(sections, width, none))
        self._body.scroll_home(animate=False)

    def _sections(self) -> Iterator[tuple[str, list[_Entry]]]:
        say = self.say
        yield (
            say("guide.here"),
            [
                *self._keys(self._here),
                _Entry("", say("guide.field")),
                _Entry("", say("guide.editor")),
            ],
        )
        screens: tuple[tuple[str, type[Widget]], ...] = (*_SCREENS, ("guide", GuideScreen))
        for name, screen in screens:
            ids = [b.id for b in screen.BINDINGS if isinstance(b, Binding) and b.id]
            yield say(f"guide.keys.{name}"), list(self._keys(ids))
        everywhere = [*self._keys(EVERYWHERE), _Entry("", say("guide.everywhere"))]
        yield say("guide.keys.everywhere"), everywhere
        for heading, names in _TEXTS.items():
            yield say(heading), [_Entry("", say(f"{heading}.{name}")) for name in names]
        language = self.quiz.settings.language
        terms = [
            _Entry(term.title(language), term.meaning(language), other_names=term.find)
            for term in self._terms
        ]
        yield say("guide.glossary"), terms

    def _keys(self, ids: Iterable[str]) -> Iterator[_Entry]:
        for name in ids:
            if name in KEYS:
                yield _Entry(self.quiz.key_of(name), self.say(f"key.{name}"), key=True)


def _page(
    sections: Sequence[tuple[str, Sequence[_Entry]]], width: int, none: str
) -> Iterator[Content]:
    """Draw the sections one below the other, an empty line before each and between terms."""
    if not sections:
        yield Content(none)
    for heading, entries in sections:
        yield from (Content(""), Content(heading).stylize("bold"))
        keys = [entry for entry in entries if entry.key]
        yield from _grid(keys, width)
        for position, entry in enumerate(entries[len(keys) :], start=len(keys)):
            if position and (entry.name or position == len(keys)):
                yield Content("")
            yield from entry.lines(width)


def _grid(keys: Sequence[_Entry], width: int) -> Iterator[Content]:
    """Draw keys in as many columns as there is room for, each read downwards."""
    columns = max(1, (width - _INDENT) // _KEY_COLUMNS)
    room = (width - _INDENT) // columns - _KEY - _GAP
    height = -(-len(keys) // columns)
    for top in range(height):
        line = Content(" " * _INDENT)
        for entry in keys[top::height]:
            name, what = pad(entry.name, _KEY - 1) + " ", pad(entry.text, room) + " " * _GAP
            line = line + Content.assemble((name, "$text-accent"), what)
        yield line
