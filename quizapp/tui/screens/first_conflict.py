"""The first minute: a bank conflict on the screen, and the one key that removes it.

Shown once, before the screen of a first start, unless the command line asked for something.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from quizapp.report import first_conflict
from quizapp.tui.keys import SCREENS, bindings
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.widgets.bars import KeyLine, TopLine
from quizapp.tui.widgets.flow import Flow
from quizapp.tui.widgets.page import Figure, Page


class FirstConflictScreen(QuizScreen):
    """Shown once, over the screen of the first start."""

    DEFAULT_CSS = """
    FirstConflictScreen {
        #map { margin: 1 1; }
        #next { padding: 0 2; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["first-conflict"])

    _pitch = first_conflict.PITCHES[0]

    def __init__(self, switch_language: Callable[[], None]) -> None:
        """Open it; `switch_language` chooses the other language, and keeps it when that is time."""
        super().__init__()
        self._switch_language = switch_language

    def compose(self) -> ComposeResult:
        """Lay out the picture, and below it what to do."""
        yield TopLine()
        yield Page(id="map")
        yield Flow(id="next")
        yield KeyLine()

    def on_mount(self) -> None:
        """Begin with the conflict."""
        self._redraw()

    def action_mark(self) -> None:
        """Change the pitch, there and back."""
        before, after = first_conflict.PITCHES
        self._pitch = after if self._pitch == before else before
        self._redraw()

    def action_language(self) -> None:
        """Say it in the other language."""
        self._switch_language()
        self._redraw()

    def _redraw(self) -> None:
        say, pitch, conflict = self.say, self._pitch, self._pitch == first_conflict.PITCHES[0]
        self.query_one(TopLine).show(say("app.title"))
        figure = Figure(lambda width: list(first_conflict.lines(pitch, width, say)))
        self.query_one(Page).put([figure])
        key = self.quiz.key_of("mark" if conflict else "home")
        text = say("first-conflict.change" if conflict else "first-conflict.on", key=key)
        self.query_one("#next", Flow).write(text)
        self.query_one(KeyLine).show(
            "mark:pad" if conflict else "mark:unpad", "home:onward", "language"
        )
