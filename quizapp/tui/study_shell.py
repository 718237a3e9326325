"""The application without its screens: the study on its own thread, and what screens ask for."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from textual.actions import ActionParseResult
from textual.dom import DOMNode

from quizapp.deck.content import content_roots, load_deck
from quizapp.deck.index import Entry
from quizapp.deck.linting import lint
from quizapp.deck.writing import overlay
from quizapp.domain.errors import BadSetting, QuizError, StoreError
from quizapp.report.first_words import first_words
from quizapp.report.studying import exchanged
from quizapp.study import overview
from quizapp.study.home_values import Filter
from quizapp.study.transfer import withdrawing
from quizapp.system import config, editor, os_errors, settings_file
from quizapp.system.config import Settings
from quizapp.system.paths import Paths
from quizapp.system.trust import check_may_run, read_trust
from quizapp.system.width import columns as cells
from quizapp.tui.shell import Shell
from quizapp.tui.wrap import clip

if TYPE_CHECKING:  # types alone: home is drawn without these
    from quizapp.domain.log.interview import InterviewRecord
    from quizapp.study.mock.interview import Interview
    from quizapp.study.service import Study
    from quizapp.study.transfer.withdrawing import Reversal
    from quizapp.study.values import Undone

_TITLE = 50
_TOAST, _LEAST_TITLE = 69, 16
"""Columns of a question's title in a message, of the message, and of the least of a title in it:
it is one line of a narrow terminal, on the rule below the first line.
"""

SETTLED_S = 0.5
"""After an edit another screen may come; a warning waits for it, as it would end with this one."""

_QUEUE_SETTINGS = ("new_per_day", "new_per_pack", "reviews_per_day", "packs", "job")
"""What the day's queue depends on."""

P = ParamSpec("P")
R = TypeVar("R")


class StudyShell(Shell):
    """The application over one `Study`, which only `call` may touch.

    Before that is open there may be home, from what was kept: keys and clicks wait.
    """

    def __init__(
        self, study: Study | None, paths: Paths, settings: Settings, narrowed: Filter
    ) -> None:
        super().__init__(settings)
        self._opened = asyncio.Event()
        if study is not None:
            self.study = study
            self._opened.set()
        self.paths = paths
        self.narrowed = narrowed
        self.parting = ""
        """What is said in the shell, once the program has left the screen."""
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="study")

    @property
    def is_open(self) -> bool:
        """True once there is a study."""
        return self._opened.is_set()

    async def when_ready(self) -> None:
        """Wait until there is a study."""
        await self._opened.wait()

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
        await self.when_ready()
        try:
            return await super().run_action(action, default_namespace, namespaces)
        except QuizError as error:
            self.tell(error)
            return True

    @abstractmethod
    async def study_now(self) -> None:
        """Go on with the session: the next question, or its end."""

    @abstractmethod
    async def study_these(self, narrowed: Filter) -> None:
        """Begin a session of its own over the screen that is shown, which comes back after it."""

    @abstractmethod
    async def study_more(self) -> None:
        """Go on beyond the day's limit, with as many new questions as a day brings."""

    @abstractmethod
    async def finish(self) -> None:
        """End the session with its summary, over home."""

    @abstractmethod
    async def action_place(self) -> None:
        """Ask a few questions that show what is known; once that is done, show what was found."""

    @abstractmethod
    async def place_again(self) -> None:
        """Ask a few questions that show what is known, after a placement as well."""

    @abstractmethod
    async def begin_interview(self, begin: Callable[[], Interview]) -> None:
        """Begin an interview and hold it, once none is unfinished."""

    @abstractmethod
    async def hold_interview(self, interview: Interview) -> None:
        """Ask the next stage of an interview, over the screen that is shown."""

    @abstractmethod
    async def resume_interview(self) -> None:
        """Go on with the interview that is unfinished."""

    @abstractmethod
    async def report_interview(self, record: InterviewRecord, *, instead: bool = False) -> None:
        """Show the report on an interview; `instead` of the screen that is shown."""

    @abstractmethod
    async def open_report(self, number: int) -> None:
        """Show the report on the interview with this number."""

    @abstractmethod
    async def redraw(self) -> None:
        """Draw the screen again if it shows what an undo changes."""

    def apply_settings(self, settings: Settings) -> None:
        """Use changed settings from now on; between questions the day's queue follows."""
        self.use_settings(settings)
        self.run_worker(self.call(self._use, settings))

    def _use(self, settings: Settings) -> None:
        before, self.study.course.settings = self.study.settings, settings
        if any(getattr(before, name) != getattr(settings, name) for name in _QUEUE_SETTINGS):
            self.study.session.begin(self.study.session.narrowed)

    async def switch_pack(self, pack: str, *, on: bool) -> None:
        """Switch a pack on or off, in the settings file too, and say what that means."""
        key = f"{config.PACK}{pack}"
        try:
            await self.call(settings_file.set_value, self.paths.config, key, str(on).lower())
        except BadSetting as error:
            self.tell(error)
            return
        except OSError as error:
            self.notify(
                self.say.fact(os_errors.system_error(error)), severity="error", markup=False
            )
            return
        if pack in config.from_environment("packs"):
            variable = config.variable("packs")
            self.notify(self.say("settings.pack-fixed", variable=variable), markup=False)
            return
        packs = {**self.settings.packs, pack: on}
        settings = config.with_value(self.settings, "packs", packs)
        self.use_settings(settings)
        await self.call(self._use, settings)
        title = self.say.topic(self.study.deck.packs[pack].titles)
        resting = await self.call(overview.count_resting, self.study, pack)
        said = "settings.pack-is-on" if on else "settings.pack-is-off"
        text = self.say(said, title=title)
        if resting and not on:
            text += f"\n{self.say('home.reviews-wait', n=resting)}"
        self.notify(text, timeout=6, markup=False)

    @abstractmethod
    def open_behind(self) -> None:
        """Open the study, now that home is drawn from what was kept."""

    async def undo(self, then: Callable[[], Awaitable[None]] | None = None) -> bool:
        """Take back the last answer or mark and say so; return True if there was one.

        `then` leads to another screen, on which it is said.
        """
        said = ("study.undone", "study.nothing-to-undo")
        return await self._step_back(self.study.history.undo, *said, then)

    async def redo(self) -> bool:
        """Restore what was undone last and say so; return True if there was something."""
        said = ("study.redone", "study.nothing-to-redo")
        return await self._step_back(self.study.history.redo, *said)

    async def _step_back(
        self,
        step: Callable[[], Undone | None],
        said: str,
        nothing: str,
        then: Callable[[], Awaitable[None]] | None = None,
    ) -> bool:
        try:
            undone = await self.call(step)
        except StoreError as error:
            self.tell(error)
            return False
        if undone is not None and then is not None:
            await then()
        text = self.say(nothing)
        if undone is not None:
            text = self.say(f"{said}.{undone.what}")
            if undone.question:
                title = await self.call(self._title, undone.question)
                text += f" · {clip(title, max(_LEAST_TITLE, _TOAST - cells(text)))}"
        self.notify(text, timeout=3 if undone is None else 5, markup=False)
        await self.redraw()
        return undone is not None

    async def reverse_import(self, reversal: Reversal) -> None:
        """Take back what an import brought, or bring it back, and say so."""
        try:
            await self.call(self._reverse_import, reversal)
        except StoreError as error:
            self.tell(error)
            return
        text = exchanged.stepped_sentence(reversal.brought, self.say, undo=reversal.undo)
        self.notify(text, markup=False)
        await self.redraw()

    def _reverse_import(self, reversal: Reversal) -> None:
        withdrawing.reverse(self.study.store, reversal, self.study.clock.now().utc_ms)
        self.study.session.begin(self.study.session.narrowed)

    def _title(self, question: str) -> str:
        """Return the beginning of a question; of one that the deck has no more, its id."""
        if question not in self.study.deck.entries:
            return question
        return clip(first_words(self.study.deck.question(question), self.say.language), _TITLE)

    async def edit(self, question: str) -> None:
        """Edit a question in the person's editor, then read the deck again."""
        entry = self.study.deck.entries[question]
        path, line = await self.call(self._to_edit, entry)
        await self.edit_file(path, line)
        changed = not await self.call(overlay.drop_unchanged, entry, self.paths)
        await self.reread()
        if changed:
            self.set_timer(SETTLED_S, lambda: self.run_worker(self._warn_of_problems(path)))

    def _to_edit(self, entry: Entry) -> tuple[Path, int]:
        """Return the file and line to edit a question at.

        Raises NotAgreed: a copy would be the person's own, and run what they have not agreed to.
        """
        if not overlay.is_edited_in_place(entry, self.paths):
            question = self.study.deck.question(entry.id)
            check_may_run(entry.id, entry.file, question, self.paths)
        return overlay.editable_copy(entry, self.paths)

    async def edit_file(self, path: Path, line: int) -> None:
        """Open a file in the person's editor, which has the terminal until it is closed."""
        failure: QuizError | None = None
        with self.suspend():
            try:  # within: an exception would leave it suspended
                editor.edit(self.settings.editor, path, line)
            except QuizError as error:
                failure = error
        if failure is not None:
            self.tell(failure)

    async def _warn_of_problems(self, path: Path) -> None:
        """Say what is wrong with a file that was edited: its question is left out until mended."""
        roots, trust = content_roots(self.paths, self.settings), read_trust(self.paths)
        report = await self.call(lint.lint, [path], roots, trust=trust)
        # A text that gives another answer away is no reason to skip its question.
        for problem in [p for p in report.problems if not p.what.code.startswith("leak.")][:1]:
            text = self.say("study.edit-problems", problem=problem)
            self.notify(text, severity="warning", markup=False, timeout=15)

    async def revert(self, question: str) -> None:
        """Give up the person's changes to a shipped question, keeping them aside."""
        await self.call(overlay.revert, self.study.deck.entries[question], self.paths)
        await self.reread()

    async def reread(self) -> None:
        """Read the content again and go on with it."""
        deck = await self.call(load_deck, self.paths, self.settings)
        await self.call(self.study.use_deck, deck)
        self.notify(self.say("study.edited"), timeout=2)

    async def on_unmount(self) -> None:
        """Let what is being stored finish."""
        await asyncio.to_thread(self._thread.shutdown)
