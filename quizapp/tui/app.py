"""The application: owns the screens and the study's thread."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from textual import events
from textual.actions import ActionParseResult
from textual.app import SystemCommand
from textual.dom import DOMNode
from textual.screen import Screen

from quizapp.config import Settings
from quizapp.deck.content import content_roots, load_deck
from quizapp.errors import QuizError, StoreError
from quizapp.paths import Paths
from quizapp.study.opening import open_study
from quizapp.study.service import Study
from quizapp.study.statistics import summary
from quizapp.study.values import Asked, Filter, Undone
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.screens.home import HomeScreen
from quizapp.tui.screens.question import QuestionScreen
from quizapp.tui.screens.small import TooSmallScreen
from quizapp.tui.screens.summary import SummaryScreen
from quizapp.tui.shell import Shell, run_to_end

P = ParamSpec("P")
R = TypeVar("R")

HOME_DEPTH = 2
"""Textual's own blank screen, and home upon it."""

LEAST_COLUMNS = 60
LEAST_ROWS = 16


class QuizApp(Shell):
    """The terminal application over one `Study`, which only `call` may touch."""

    def __init__(self, study: Study, paths: Paths, settings: Settings, narrowed: Filter) -> None:
        super().__init__(settings)
        self.study = study
        self.paths = paths
        self.narrowed = narrowed
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="study")

    async def call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run `function` on the study's thread; calls run one after the other."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, partial(function, *args, **kwargs))

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Do what a key or a click asks for; what cannot be done is said, and the app stays."""
        if self.leaving:
            return True
        try:
            return await super().run_action(action, default_namespace, namespaces)
        except QuizError as error:
            self.tell(error)
            return True

    def on_mount(self) -> None:
        """The first screen."""
        super().on_mount()
        self.push_screen(HomeScreen())
        if not self.settings.welcomed:
            from quizapp.tui.screens.welcome import WelcomeScreen  # noqa: PLC0415 - once in a life

            self.push_screen(WelcomeScreen())

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:  # noqa: ARG002
        """What the command palette offers, in the person's language."""
        commands: dict[str, Callable[[], Any]] = {
            "browse": self.action_browse,
            "statistics": self.action_statistics,
            "settings": self.action_settings,
            "help": self.action_guide,
            "undo": self.undo,
            "redo": self.redo,
            "quit": self.action_quit,
        }
        for name, command in commands.items():
            yield SystemCommand(self.say(f"key.{name}"), self.say(f"palette.{name}"), command)
        yield SystemCommand(
            self.say("palette.theme"), self.say("palette.theme-help"), self.action_change_theme
        )

    def apply_settings(self, settings: Settings) -> None:
        """Use changed settings from now on; between questions the day's queue follows."""
        self.wear(settings)
        self.run_worker(self.call(self._use, settings))

    def _use(self, settings: Settings) -> None:
        limits = (settings.new_per_day, settings.reviews_per_day)
        changed = limits != (self.study.settings.new_per_day, self.study.settings.reviews_per_day)
        self.study.settings = settings
        if changed:
            self.study.begin(self.narrowed)

    def preload(self) -> None:
        """Import what the next keys need, on the study's thread, after home is drawn."""
        self.run_worker(self._preload(), exclusive=True)

    async def _preload(self) -> None:
        for portion in PRELOADED:
            await self.call(portion)

    async def study_now(self) -> None:
        """Go on with the session: the next question, or its end."""
        asked = await self.call(self._next)
        if asked is None:
            await self.finish()
        else:
            self.push_screen(QuestionScreen(asked))

    async def study_more(self) -> None:
        """Go on beyond the day's limit, with as many new questions as a day brings."""
        self.narrowed = replace(self.narrowed, new=max(1, self.settings.new_per_day))
        await self.call(self.study.begin, self.narrowed)
        await self.study_now()

    def _next(self) -> Asked | None:
        """The next question; a session that ran out is built again, since time may have passed."""
        asked = self.study.next()
        if asked is None:
            self.study.begin(self.narrowed)
            asked = self.study.next()
        return asked

    async def finish(self) -> None:
        """End the session with its summary, over home."""
        result = await self.call(summary, self.study, self.study.results)
        while len(self.screen_stack) > HOME_DEPTH:
            self.pop_screen()
        self.push_screen(SummaryScreen(result))

    async def undo(self) -> bool:
        """Take back the last answer or mark and say so; whether there was one."""
        return await self._step_back(self.study.undo, "study.undone", "study.nothing-to-undo")

    async def redo(self) -> bool:
        """Restore what was undone last and say so; whether there was something."""
        return await self._step_back(self.study.redo, "study.redone", "study.nothing-to-redo")

    async def _step_back(self, step: Callable[[], Undone | None], said: str, nothing: str) -> bool:
        try:
            undone = await self.call(step)
        except StoreError as error:
            self.tell(error)
            return False
        text = self.say(nothing) if undone is None else self.say.get(f"{said}.{undone.what}", "")
        self.notify(text or self.say(said), timeout=3, markup=False)
        if isinstance(self.screen, HomeScreen):
            await self.screen.redraw()
        return undone is not None

    async def edit(self, question: str) -> None:
        """Edit a question in the person's editor, then read the deck again."""
        from quizapp.overlay import drop_unchanged, editable_copy  # noqa: PLC0415 - not at start

        entry = self.study.deck.entries[question]
        path, line = await self.call(editable_copy, entry, self.paths)
        await self.edit_file(path, line)
        if not await self.call(drop_unchanged, entry, self.paths):
            await self._warn_of_problems(path)
        await self.reread()

    async def edit_file(self, path: Path, line: int) -> None:
        """Open a file in the person's editor, which has the terminal until it is closed."""
        from quizapp.editor import edit  # noqa: PLC0415 - not at start

        failure: QuizError | None = None
        with self.suspend():
            try:  # within: an exception would leave it suspended
                edit(self.settings.editor, path, line)
            except QuizError as error:
                failure = error
        if failure is not None:
            self.tell(failure)

    async def _warn_of_problems(self, path: Path) -> None:
        """Say what is wrong with a file that was edited: its question is left out until mended."""
        from quizapp.deck.lint import lint  # noqa: PLC0415 - not at start

        report = await self.call(lint, [path], content_roots(self.paths, self.settings))
        for problem in report.problems[:1]:
            text = self.say("study.edit-problems", problem=problem)
            self.notify(text, severity="warning", markup=False, timeout=15)

    async def revert(self, question: str) -> None:
        """Give up the person's changes to a shipped question, keeping them aside."""
        from quizapp.overlay import revert  # noqa: PLC0415 - not at start

        await self.call(revert, self.study.deck.entries[question], self.paths)
        await self.reread()

    async def reread(self) -> None:
        """Read the content again and go on with it."""
        deck = await self.call(load_deck, self.paths, self.settings)
        await self.call(self.study.use_deck, deck)
        self.notify(self.say("study.edited"), timeout=2)

    def action_browse(self) -> None:
        """Open the browser."""
        from quizapp.tui.screens.browser import BrowserScreen  # noqa: PLC0415 - not at start

        self.push_screen(BrowserScreen())

    def action_statistics(self) -> None:
        """Open the statistics."""
        from quizapp.tui.screens.statistics import StatisticsScreen  # noqa: PLC0415 - not at start

        self.push_screen(StatisticsScreen())

    def action_settings(self) -> None:
        """Open the settings."""
        from quizapp.tui.screens.settings import SettingsScreen  # noqa: PLC0415 - not at start

        self.push_screen(SettingsScreen())

    def action_guide(self) -> None:
        """Open help for the screen that is shown."""
        from quizapp.tui.screens.guide import GuideScreen  # noqa: PLC0415 - not at start

        shown = [binding.binding for binding in self.screen.active_bindings.values()]
        self.push_screen(GuideScreen(tuple(b.id for b in shown if b.id)))

    async def leave(self, status: int) -> None:
        """End with this exit status, once every screen has stored what it holds."""
        for screen in self.screen_stack:
            if isinstance(screen, QuizScreen):
                await screen.leaving()
        await super().leave(status)

    def on_resize(self, event: events.Resize) -> None:
        """Say so when the terminal is too small, and go on when it has grown."""
        small = event.size.width < LEAST_COLUMNS or event.size.height < LEAST_ROWS
        if small and not isinstance(self.screen, TooSmallScreen):
            self.push_screen(TooSmallScreen((LEAST_COLUMNS, LEAST_ROWS)))
        elif not small and isinstance(self.screen, TooSmallScreen):
            self.pop_screen()

    async def on_unmount(self) -> None:
        """Let what is being stored finish."""
        await asyncio.to_thread(self._thread.shutdown)


def run(paths: Paths, settings: Settings, narrowed: Filter) -> int:
    """Run the application; the exit status.

    Garbage is not collected before home is drawn: that took 30 ms of starting.

    Raises:
        StoreError, UsageError: before the screen is taken over.
    """
    gc.disable()
    with open_study(paths, settings) as study:
        study.begin(narrowed)
        return run_to_end(QuizApp(study, paths, settings, narrowed))


def _preload_text() -> None:
    """Pygments 30 ms, Markdown 28 ms, the editor 9 ms."""
    from textual.widgets import TextArea  # noqa: F401, PLC0415

    from quizapp.tui import markdown  # noqa: PLC0415

    markdown.lines("```cuda\nint x;\n```", 20)


def _preload_arrays() -> None:
    """NumPy, 80 ms."""
    import numpy  # noqa: F401, ICN001, PLC0415


def _preload_grader() -> None:
    """The exercises and the bank model, 40 ms."""
    import quizapp.exercises.layouts  # noqa: PLC0415
    import quizapp.exercises.traces  # noqa: F401, PLC0415


def _preload_emulator() -> None:
    """What a kernel question is made of; it is graded elsewhere. 40 ms."""
    import quizapp.exercises.spots  # noqa: F401, PLC0415


def _keep() -> None:
    """What is there by now stays to the end: the garbage collector need not look at it again."""
    gc.freeze()
    gc.enable()


PRELOADED = (_preload_text, _preload_arrays, _preload_grader, _preload_emulator, _keep)
"""What is imported once home is drawn, since it costs more than a key press may.

In portions: a key that is pressed meanwhile waits for one of them at most.
"""
