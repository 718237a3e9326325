"""What every screen has: words in the person's language, the study, keys, a way back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, ParamSpec, TypeVar, cast

from textual import on
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.events import ScreenResume
from textual.screen import Screen

from quizapp.domain.errors import OK, StoreError
from quizapp.report.words import Words
from quizapp.tui.study_shell import StudyShell
from quizapp.tui.widgets.bars import KeyLine, TopLine
from quizapp.tui.widgets.blank import Blank
from quizapp.tui.widgets.flow import Flow
from quizapp.tui.widgets.late_calls import LateCallGuard

if TYPE_CHECKING:  # types alone: home is drawn without these
    from quizapp.study.service import Study
    from quizapp.study.sessions.asking import Asking

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S", bound="QuizScreen")
BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
"""Columns, and the class of a screen that has so many."""


class QuizScreen(Screen[None], Blank, LateCallGuard):
    """A screen of the application."""

    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    ends_program = False
    """True if a command opened it: leaving it leads to the shell, and not to home."""

    @property
    def quiz(self) -> StudyShell:
        """The application, by its own type."""
        return cast("StudyShell", self.app)

    @property
    def say(self) -> Words:
        """The catalogue in the person's language."""
        return self.quiz.say

    @property
    def study(self) -> Study:
        """The study; to be called through `call` only."""
        return self.quiz.study

    @property
    def asks(self) -> Asking:
        """What asks questions here: the study, or an interview; to be called through `call`."""
        return self.study.session

    async def call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run a study function on its own thread: no SQL on the thread that draws."""
        return await self.quiz.call(function, *args, **kwargs)

    @on(ScreenResume)
    def end_toasts(self) -> None:
        """End the toasts of the screen that was left; by now still another may be shown."""
        self.quiz.end_toasts()

    def can_work(self, binding_id: str) -> bool:
        """Return True if a binding of this screen does something now."""
        return True

    @property
    def interrupts(self) -> bool:
        """True if leaving the program now would interrupt what is done here."""
        return False

    async def store_unsaved(self) -> None:
        """Store what is still only on the screen; called before the program ends."""

    @property
    def holds_unsaved(self) -> bool:
        """True if something could not be stored, and would be lost with the screen."""
        return False

    async def redraw(self) -> None:
        """Show what an undo changes, where the screen shows such."""

    async def action_undo(self) -> None:
        """Take the last answer or mark back."""
        await self.quiz.undo()

    async def action_redo(self) -> None:
        """Restore what was undone."""
        await self.quiz.redo()

    async def action_back(self) -> None:
        """Leave this screen, and with one that a command opened the program."""
        if self.ends_program:
            await self.quiz.leave(OK)
        else:
            self.app.pop_screen()

    async def action_leave(self) -> None:
        """Leave this screen."""
        await self.action_back()


def tells(
    work: Callable[Concatenate[S, P], Awaitable[None]],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, None]]:
    """Have what a screen does end with a message where the store fails."""

    @wraps(work)
    async def told(screen: S, /, *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            await work(screen, *args, **kwargs)
        except StoreError as error:
            screen.quiz.tell(error)

    return told


class PageScreen(QuizScreen):
    """A screen that is one page, which the keys scroll."""

    HEADING: ClassVar[str]
    """Names the text of the first line, before there is more to say."""
    KEYS_SHOWN: ClassVar[tuple[str, ...]] = ()
    """Those of the last line that hold whatever the page shows."""

    def compose(self) -> ComposeResult:
        """Lay out the page."""
        yield TopLine(self.say(self.HEADING))
        with VerticalScroll(id="body"):
            yield Flow(id="page")
        yield KeyLine(*self.KEYS_SHOWN)

    def on_mount(self) -> None:
        """Let the keys scroll the page."""
        self.query_one("#body").focus()

    def action_move(self, rows: int) -> None:
        """Scroll."""
        self.query_one("#body").scroll_relative(y=rows, animate=False)
