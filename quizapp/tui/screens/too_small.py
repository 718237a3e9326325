"""Shown while the terminal is too small for any other screen."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget

from quizapp.tui.screens.base import QuizScreen


class TooSmallScreen(QuizScreen):
    """Says how large the terminal is and how large it must be; goes by itself once it is."""

    CSS = "TooSmallScreen { padding: 0; } Notice { width: 1fr; height: 1fr; }"

    def __init__(self, least: tuple[int, int]) -> None:
        super().__init__()
        self._least = least

    def compose(self) -> ComposeResult:
        """Lay out one sentence."""
        yield Notice(self._least)

    async def action_back(self) -> None:
        """Do nothing: only a larger terminal leads out."""


class Notice(Widget):
    """The sentence, with the size as it is now."""

    def __init__(self, least: tuple[int, int]) -> None:
        super().__init__()
        self._least = least

    def render(self) -> Content:
        """Draw the sentence, anew at every resize."""
        columns, rows = self.app.size
        screen = self.screen
        if not isinstance(screen, QuizScreen):
            return Content("")
        return Content(
            screen.say(
                "too-small",
                columns=columns,
                rows=rows,
                least_columns=self._least[0],
                least_rows=self._least[1],
            )
        )
