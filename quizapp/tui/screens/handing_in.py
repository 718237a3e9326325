"""The part of the question screen in which code is handed in: checked, tried out, edited outside.

What a person wrote goes to the graders and comes back as a verdict; kernels are graded in a process
of their own while the screen stays alive.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from quizapp import editor
from quizapp.domain.question import Index, Kernel, Spot
from quizapp.errors import Cancelled, QuizError
from quizapp.study import trial as trials
from quizapp.study.trial import Phase, Trial
from quizapp.study.values import Asked, is_attempt
from quizapp.submission import SubmissionFile
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.widgets.question_view import QuestionView

if TYPE_CHECKING:
    from quizapp.exercises.kernels import CheckedKernel  # NumPy, 80 ms
    from quizapp.exercises.layouts import Checked
    from quizapp.kernel_verdict import View

WATCH_SECONDS = 0.4
"""How soon a file that was saved outside is seen."""


class HandingIn(QuizScreen):
    """A screen with a trial, of which code may be handed in."""

    def __init__(self, trial: Trial) -> None:
        super().__init__()
        self._trial = trial
        self._outside: SubmissionFile | None = None
        self._grading = False
        self._on_gpu = False
        self._chosen: View | None = None

    @abstractmethod
    async def _become(self, trial: Trial) -> None:
        """Take on a new state; grade when it is ready."""

    @abstractmethod
    def _written(self) -> str:
        """What stands in the field."""

    @abstractmethod
    def _draw(self) -> None:
        """Bring every line in line with the trial."""

    @abstractmethod
    def _draw_keys(self) -> None:
        """Bring the last line in line with what can be done."""

    @property
    def _view(self) -> QuestionView:
        return self.query_one(QuestionView)

    def _key(self, name: str) -> str:
        return self.quiz.key_of(name)

    def _watch_outside(self) -> None:
        """Be able to look at a file that is edited outside."""
        self._watch = self.set_interval(WATCH_SECONDS, self._look_outside, pause=True)

    def _begin_writing(self, asked: Asked) -> None:
        """Another question is put: nothing of the one before counts."""
        self._outside, self._chosen = None, None
        self._watch.pause()
        if isinstance(asked.question, Kernel | Spot):
            self.run_worker(self._prepare(asked), group="prepare")

    def _cancelled(self) -> bool:
        """End the grading that goes on; whether there was one."""
        if self._grading:
            self.study.examiner.cancel()
        return self._grading

    @property
    def _is_written(self) -> bool:
        """Whether the question is an exercise, of which code is handed in."""
        return isinstance(self._trial.asked.question, Index | Kernel)

    async def action_practise(self) -> None:
        """Try a kernel out: its verdict is shown, and nothing is handed in."""
        question = self._trial.asked.question
        if self._trial.phase is Phase.ASKING and isinstance(question, Kernel):
            self._grade(question, self._written(), practice=True)

    def action_view(self) -> None:
        """Turn to the next view of a kernel's verdict."""
        from quizapp.tui import kernel_feedback  # noqa: PLC0415 - NumPy, 80 ms

        known = kernel_feedback.views(self._trial)
        if known:
            now = self._chosen if self._chosen in known else kernel_feedback.first_view(self._trial)
            self._chosen = known[(known.index(now) + 1) % len(known)] if now else known[0]
            self._draw()
            self._view.to_figures()

    async def action_open_code(self) -> None:
        """Edit the submission in the person's editor; each save is checked."""
        asked = self._trial.asked
        if self._trial.phase is not Phase.ASKING or not self._is_written:
            return
        file = SubmissionFile(self.quiz.paths.cache / "submissions", asked.entry.id)
        file.write(self._written())
        self._outside = file
        if editor.stands_beside(self.quiz.settings.editor):
            self._view.note(self.say("study.watching", path=file.path))
            self._watch.resume()
            self.run_worker(self._open_beside(file.path))
            return
        await self.quiz.edit_file(file.path, 1)
        await self._look_outside()
        self._outside = None

    async def _hand_in(self, source: str) -> None:
        """Have an exercise checked, unless nothing was written, or it is what was checked."""
        before, question = self._trial.checked, self._trial.asked.question
        if not source.strip():
            self._view.note(self.say("study.write-first"))
        elif before is not None and before.source == source and not self._trial.practised:
            self._view.note(self.say("study.unchanged"))
        elif isinstance(question, Kernel):
            self._grade(question, source, practice=False)
        else:
            await self._take(await self.call(self.study.check, self._trial.asked, source))

    async def _take(self, checked: Checked | CheckedKernel) -> None:
        """A submission was graded; one that fails is shown why, and goes on."""
        trial = trials.checked(self._trial, checked)
        if checked.passed:
            self._view.focus()
        elif not is_attempt(checked):
            self._view.note(self.say("kernel.no-attempt"))
        else:
            self._view.note(self.say("study.failures", n=len(trial.tried)))
        await self._become(trial)
        if not checked.passed:
            self._view.to_verdict()
            self._mark()
        elif trial.asked.timed:
            self._view.to_figures()

    def _mark(self) -> None:
        """Mark the line of a kernel that is to blame."""
        if isinstance(self._trial.asked.question, Kernel):
            from quizapp.tui import kernel_feedback  # noqa: PLC0415 - loaded by then

            self._view.mark(kernel_feedback.marked(self._trial))

    async def _prepare(self, asked: Asked) -> None:
        """Have ready what grading needs; what is wrong is said when it is needed."""
        with suppress(QuizError):
            await asyncio.to_thread(self.study.examiner.prepare, asked.question)

    def _grade(self, question: Kernel, source: str, *, practice: bool) -> None:
        """Grade a kernel while the screen stays alive."""
        if not self._grading:
            self._grading = True
            self._view.note(self.say("kernel.running", key=self._key("back")))
            self._view.to_verdict()
            self._draw_keys()
            self.run_worker(self._graded(question, source, practice=practice), group="grade")

    async def _graded(self, question: Kernel, source: str, *, practice: bool) -> None:
        """The verdict, once it is there: taken, or only shown."""
        asked, self._chosen = self._trial.asked, None
        try:
            checked = await self._checked(question, source)
            if asked is not self._trial.asked or self._trial.phase is not Phase.ASKING:
                return
            if practice:
                await self._become(trials.practised(self._trial, checked))
                note = self.say("kernel.practised", key=self._key("check"))
                self._view.note(note)
                self._view.to_verdict()
                self._mark()
                return
            if not checked.passed:
                await self.call(self.study.keep, asked, checked)
            await self._take(checked)
        except Cancelled:
            self._view.note(self.say("kernel.cancelled"))
        except QuizError as error:
            self._view.note("")
            self.quiz.tell(error)
        finally:
            self._grading = self._on_gpu = False
            if self.is_attached:
                self._draw_keys()

    async def _checked(self, question: Kernel, source: str) -> CheckedKernel:
        """The verdict of the emulator, then that of a GPU if there is one."""
        examiner = self.study.examiner
        checked = await asyncio.to_thread(examiner.check, question, source)
        measuring = asyncio.create_task(asyncio.to_thread(examiner.measured, checked))
        self._on_gpu = checked.passed and examiner.measures(question)
        if self._on_gpu:
            self._draw_keys()
            for seconds in count():
                key = self._key("back")
                self._view.note(self.say("gpu.running", seconds=seconds, key=key))
                if (await asyncio.wait({measuring}, timeout=1))[0]:
                    break
        return await measuring

    async def _open_beside(self, path: Path) -> None:
        """Start an editor with a window of its own; some take seconds, and keys must not wait."""
        try:
            await asyncio.to_thread(editor.open_beside, self.quiz.settings.editor, path)
        except QuizError as error:
            self.quiz.tell(error)

    async def _look_outside(self) -> None:
        """Check what was saved in an editor outside."""
        if self._outside is None or self._trial.phase is not Phase.ASKING:
            return
        text = self._outside.changed()
        if text is not None:
            self._view.rewrite(text)
            kernel = isinstance(self._trial.asked.question, Kernel)
            await self.run_action("practise" if kernel else "check")  # to save is not to hand in
