"""`quiz preview`: the questions of a file as the application shows them, redrawn when it is saved.

An application of its own: it opens no store. A file that is broken, half-written or gone for a
moment leaves the last good picture standing, with what is wrong beside it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar, cast

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.screen import Screen

from quizapp.deck import index
from quizapp.deck.content import content_roots
from quizapp.deck.index import CompiledDeck, ContentRoot, stamp
from quizapp.domain.errors import QuizError
from quizapp.domain.question import LANGUAGES
from quizapp.report.words import Words
from quizapp.study.examiner import Examiner
from quizapp.system.config import Settings
from quizapp.system.paths import find_paths
from quizapp.tui.keys import SCREENS, bindings
from quizapp.tui.picture import Picture, merge, read
from quizapp.tui.screens.base import BREAKPOINTS
from quizapp.tui.shell import Shell, run_to_end
from quizapp.tui.widgets.bars import KeyLine, TopLine
from quizapp.tui.widgets.flow import Flow, wrap
from quizapp.tui.widgets.question_table import difficulty
from quizapp.tui.widgets.question_view import QuestionView

POLL_SECONDS = 0.3
_SHOWN = ("next", "previous", "language", "quit:end")


def run(path: Path, settings: Settings, *, watch: bool) -> int:
    """Show a file until the person quits; the exit status.

    Raises UsageError, OSError: the file cannot be read, before the screen is taken over.
    """
    paths = find_paths()
    compiled = index.read(str(paths.compiled_deck))
    app = PreviewApp(path, content_roots(paths, settings), settings, compiled, watch=watch)
    return run_to_end(app)


class PreviewScreen(Screen[None]):
    """One question at a time, and the problems of the file."""

    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    DEFAULT_CSS = """
    PreviewScreen {
        QuestionView { height: 2fr; }
        #number, #essay { display: none; }
        #problems { height: auto; max-height: 40%; padding: 0 1; }
        #problems { border-top: solid $foreground 30%; }
        #parts { height: 1fr; }
    }
    PreviewScreen.-wide.troubled #parts {
        layout: horizontal;
        QuestionView { width: 78; height: 1fr; }
        #problems { width: 1fr; height: 1fr; max-height: 100%; border: none; padding: 1 2; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["preview"])

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._picture = Picture()
        self._position = 0

    def compose(self) -> ComposeResult:
        """Lay out question and problems."""
        yield TopLine()
        with Container(id="parts"):
            yield QuestionView()
            with VerticalScroll(id="problems"):
                yield Flow(id="lint")
        yield KeyLine(*_SHOWN)

    def show(self, picture: Picture) -> None:
        """Show another state of the file, staying on the same question."""
        names = self._picture.names
        here = names[self._position] if names else ""
        self._picture = picture
        if here in picture.names:
            self._position = picture.names.index(here)
        self._draw()

    def action_turn(self, questions: int) -> None:
        """Go to another question of the file."""
        self._position += questions
        self._draw()
        self.query_one(QuestionView).scroll_home(animate=False)

    def action_language(self) -> None:
        """Show it in the other language."""
        self._preview.switch_language()
        self._draw()

    def action_move(self, rows: int) -> None:
        """Scroll."""
        self.query_one(QuestionView).scroll_relative(y=rows, animate=False)

    def action_leave(self) -> None:
        """Quit."""
        self.app.exit()

    action_back = action_leave

    def _draw(self) -> None:
        shown, say = self._picture.questions, self._preview.say
        self._position = max(0, min(self._position, len(shown) - 1))
        view = self.query_one(QuestionView)
        view.display = bool(shown)
        troubled = bool(self._picture.problems) or not shown
        self.set_class(troubled, "troubled")
        if shown:
            question = shown[self._position]
            view.note("")
            view.draw(question.turn, question.attempt, say, detailed=True, whole=True)
        self._draw_top(say)
        self.query_one("#lint", Flow).show(self._problems)
        self.query_one(KeyLine).refresh()

    def _draw_top(self, say: Words) -> None:
        """Say which question of how many this is, and what it is."""
        if not self._picture.questions:
            self.query_one(TopLine).show(self._path.name)
            return
        entry = self._picture.questions[self._position].turn.entry
        total = len(self._picture.questions)
        place = say("preview.place", position=self._position + 1, total=total)
        kind = say(f"kind.{entry.kind}")
        about = f"{say.topic(entry.topic_names)} · {kind} · {difficulty(entry.difficulty)}"
        self.query_one(TopLine).show(f"{place} · {entry.id}", about)

    def _problems(self, width: int) -> Iterator[Content]:
        """Draw what lint says, or that it says nothing."""
        say, problems = self._preview.say, self._picture.problems
        stale = self._picture.kept and not problems  # emptied, or gone
        if stale or not self._picture.questions:
            yield from wrap(say("preview.empty", file=self._path), width)
        state = say("preview.problems", n=len(problems)) if problems else say("preview.fine")
        notes = [f"✗ {state}"] if problems else [] if stale else [f"✓ {state}"]
        if self._picture.kept:
            notes.append(say("preview.kept"))
        if self._preview.watching:
            notes.append(say("preview.watching"))
        style = "$text-error" if problems else "$text-success"
        yield from wrap(" · ".join(notes), width, style=style)
        for problem in problems:
            what = f"{problem.line}:{problem.column} {say.fact(problem.what)}"
            yield from wrap(what, width)
            yield from wrap(say.hint(problem.what, problem.hint), width, indent=2, style="dim")

    @property
    def _preview(self) -> PreviewApp:
        return cast("PreviewApp", self.app)


class PreviewApp(Shell):
    """The preview of one file."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        path: Path,
        roots: Sequence[str | ContentRoot],
        settings: Settings,
        compiled: CompiledDeck | None = None,
        *,
        watch: bool,
    ) -> None:
        super().__init__(settings)
        self.watching = watch
        self._path = path
        self._examiner = Examiner()
        self._read = partial(read, path, roots, self._examiner, compiled)
        self._stamp = _stamp(path)  # before it is read: what is saved meanwhile is read again
        self._picture = self._read()

    def on_mount(self) -> None:
        """Show the first picture; then look for others."""
        super().on_mount()
        screen = PreviewScreen(self._path)
        self.push_screen(screen)
        self.call_after_refresh(screen.show, self._picture)
        if self.watching:
            self.run_worker(self._watch(screen), exit_on_error=True)

    def on_unmount(self) -> None:
        """End the process that grades."""
        self._examiner.close()

    def switch_language(self) -> None:
        """Switch words and questions to the other language."""
        here = LANGUAGES.index(self.say.language)
        self.say = Words(LANGUAGES[(here + 1) % len(LANGUAGES)])

    async def _watch(self, screen: PreviewScreen) -> None:
        """Read again whenever time or size of the file change, or of Python beside it."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            stamp = await asyncio.to_thread(_stamp, self._path)
            if stamp is None or stamp == self._stamp:
                continue
            try:
                now = await asyncio.to_thread(self._read)
            except (OSError, QuizError):
                continue  # gone again while it was read; the next look will tell
            self._stamp = stamp
            self._picture = merge(self._picture, now)
            screen.show(self._picture)


def _stamp(path: Path) -> tuple[int, int, str] | None:
    """Return what changes with each save; None while there is no file, as some editors save."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size, stamp(str(path.parent), path.name)
