"""A placement on the question screen, and what it found."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll

from quizapp.report.studying import placement as placement_text
from quizapp.study.mock.placement import Placement, PlacementResult
from quizapp.study.values import Turn
from quizapp.tui.keys import SCREENS, bindings
from quizapp.tui.screens.apart import ApartScreen
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.widgets.bars import KeyLine, TopLine
from quizapp.tui.widgets.flow import Flow


class PlacementScreen(ApartScreen):
    """One question after the other; left before the end, it can be taken up again."""

    def __init__(self, placement: Placement, first: Turn) -> None:
        super().__init__(placement, first)
        self._placement = placement

    async def action_back(self) -> None:
        """Go back; once that leaves the placement, say how it is taken up again."""
        await super().action_back()
        left = self not in self.app.screen_stack
        if left and self._placement.asked:
            self.notify(self.say("place.left"), timeout=6)
        elif self.quiz.leaving and self._placement.asked:
            self.quiz.parting = self.say("place.left")

    async def _end(self) -> None:
        """Store what was found, and show it in place of the questions."""
        await self.call(self._placement.finish)
        found = await self.call(lambda: self._placement.result)
        self.app.pop_screen()
        self.app.push_screen(PlacedScreen(found))


class PlacedScreen(QuizScreen):
    """What counts as known from now on; one key takes it back, or begins another later."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["placed"])

    def __init__(self, found: PlacementResult) -> None:
        super().__init__()
        self._found = found
        self._undone = False

    def compose(self) -> ComposeResult:
        """Lay out the page."""
        yield TopLine(self.say("key.place"))
        with VerticalScroll(id="body"):
            yield Flow(id="page")
        second = "undo" if self._found.day is None else "place-again"
        yield KeyLine("home", second, "study-now", "help")

    def on_mount(self) -> None:
        """Draw it."""
        self._draw()

    def _draw(self) -> None:
        page = placement_text.result(self._found, self.study.deck, self.say, undone=self._undone)
        self.query_one(Flow).write("\n".join(page))

    async def action_undo(self) -> None:
        """Take all of it back; of an earlier placement, whatever was done last."""
        if self._found.day is not None:
            await super().action_undo()
        elif any(self._found.asked.values()) and await self.quiz.undo():
            self._undone = True
            self._draw()

    async def action_redo(self) -> None:
        """Let it count again."""
        if self._found.day is not None:
            await super().action_redo()
        elif self._undone and await self.quiz.redo():
            self._undone = False
            self._draw()

    async def action_place_again(self) -> None:
        """Ask other questions than those of the placement that is shown."""
        self.app.pop_screen()
        await self.quiz.place_again()

    def can_work(self, binding_id: str) -> bool:
        """Return True if a binding does something here."""
        return binding_id != "place-again" or self._found.day is not None

    async def action_study(self) -> None:
        """Begin to study."""
        self.app.pop_screen()
        await self.quiz.study_now()
