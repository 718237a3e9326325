"""The part of the question screen in which code is submitted, test-run and edited outside.

Code goes to the graders and comes back as a verdict; kernels are graded in a process of their own
while the screen stays alive.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, cast

from grader.facts import fact
from quizapp.domain.actions import Practise, StopGrading, Submit, TakeVerdict
from quizapp.domain.attempt import GradedSubmission, advance
from quizapp.domain.errors import Cancelled, QuizError
from quizapp.domain.grading import NotSubmitted
from quizapp.domain.languages import ENDINGS, language_of_code
from quizapp.domain.question import Index, InputChoice, Kernel, Spot
from quizapp.study.values import Turn, why_not_submitted
from quizapp.system import editor
from quizapp.system.gpu import NotMeasured
from quizapp.system.submission import SubmissionFile
from quizapp.tui import feedback, kernel_feedback
from quizapp.tui.attempts.writing import WritingScreen
from quizapp.tui.live_run import LiveRun
from quizapp.tui.widgets.question_view import Place

if TYPE_CHECKING:
    from textual.widgets import TextArea

    from quizapp.exercises.kernels import CheckedKernel  # NumPy, 80 ms
    from quizapp.report.verdicts.kernel_views import View
    from quizapp.tui.live_run import Checked
    from quizapp.tui.widgets.inspector import Inspector

P = ParamSpec("P")

LOOK_SECONDS = 0.05
"""How long keys must rest before the values at a line are looked at."""
WATCH_SECONDS = 0.4
"""How soon a file that was saved outside is seen."""
CANCEL_SECONDS = 0.2
"""How soon grading that a person canceled before it began is canceled again."""


class SubmissionScreen(WritingScreen):
    """A screen with an attempt in which code may be submitted."""

    def __init__(self, turn: Turn) -> None:
        super().__init__(turn)
        self._outside: SubmissionFile | None = None
        self._grading = self._canceled = False
        self._on_gpu = False
        self._chosen: View | None = None
        self._live: Checked | None = None
        """What came of running the code that is being written; nothing of that is logged."""

    @abstractmethod
    def _draw(self) -> None:
        """Bring every line in line with the attempt."""

    @abstractmethod
    def _draw_keys(self) -> None:
        """Bring the last line in line with what can be done."""

    def _watch_code(self) -> None:
        """Be able to run what is written here, and to look at a file that is edited outside."""
        self._live_run = LiveRun(self, self.asks.examiner, self._read_field, self._show_live)
        self._watch = self.set_interval(WATCH_SECONDS, self._look_outside, pause=True)

    def _begin_writing(self) -> None:
        """Forget the question before: nothing of it counts any more."""
        self._outside, self._chosen, self._live = None, None, None
        self._watch.pause()
        self._live_run.stop()
        if isinstance(self._turn.question, Kernel | Spot | InputChoice):
            self.run_worker(self._prepare(self._turn), group="prepare")

    def _cancel_grading(self) -> bool:
        """End the grading that goes on; return whether there was one."""
        if self._grading:
            self._canceled = True
            self.asks.examiner.cancel()
        return self._grading

    async def action_practise(self) -> None:
        """Test-run a kernel: its verdict is shown, and nothing is submitted."""
        if isinstance(self._turn.question, Kernel) and self._attempt.is_open:
            self._write(self._read_field())
            self._grade(self._turn.question, practice=True)

    async def action_without_gpu(self) -> None:
        """Take the emulator's verdict on a submission whose turn on the GPU was cut short."""
        question, pending = self._turn.question, self._attempt.pending
        if not self._attempt.is_open or not isinstance(question, Kernel):
            return
        if not pending:
            self._view.note(self.say("plain.no_pending"))
            return
        self._view.rewrite(pending)
        self._write(pending)
        self._grade(question, on_gpu=False)

    def action_view(self, typing: bool = False) -> None:  # noqa: FBT001, FBT002 - as keys call it
        """Turn to the next part of the workbench, or view of the verdict.

        `typing`: whether the editor takes the keys, where that is what comes next.
        """
        if not self._attempt.is_written:
            return
        stops, view = self._list_stops(), self._view
        now = (view.at, self._chosen)
        place = (
            stops.index(now)
            if now in stops
            else next((i for i, (at, _) in enumerate(stops) if at == view.at), -1)
        )
        at, self._chosen = stops[(place + 1) % len(stops)]
        self._draw()
        view.go_to(at, typing=typing)

    @property
    def _home(self) -> Place:
        """The part of the workbench that escape leads back to."""
        return "verdict" if self._attempt.shows_answer else "code"

    @property
    def _inspector(self) -> Inspector | None:
        """The pane beside the code, while it has the keys."""
        focused = self.focused
        if focused is None or focused.id != "inspector":
            return None
        return cast("Inspector", focused)

    def action_line(self) -> None:
        """Go to what is known of the caret's line, with its map, steps and values, or back.

        Of a race, its first step.
        """
        if not self._attempt.is_written:
            return
        if self._inspector is not None:
            self._view.go_to(self._home)
            return
        self._view.go_to("line")
        if self._view.shows_race:
            self._view.replay()

    def _list_stops(self) -> list[tuple[Place, View | None]]:
        """List what can be turned to; where all is side by side, the editor keeps the caret.

        Once there is a grade, enter goes on from each of them; the line beside would take it.
        """
        narrow = self.has_class("-narrow")
        said: Place = "verdict" if narrow or self._attempt.is_graded else "code"
        known: tuple[View | None, ...] = feedback.views(self._attempt)
        if self._attempt.is_edited or not known:
            known = (None, *known)
        stops = [(said, view) for view in known] if self._view.says_something else []
        if narrow or not stops:
            stops.insert(0, ("code", None))
        return stops if self._attempt.is_graded else [*stops, ("line", None)]

    def action_prompt(self) -> None:
        """Show the whole prompt of an exercise in place of the editor, or the editor again."""
        if self._attempt.is_written:
            self._view.go_to("code" if self._view.at == "prompt" else "prompt")
            self._draw_keys()

    async def action_open_code(self) -> None:
        """Edit the submission in the person's editor; each save is checked."""
        if not self._attempt.is_open or not self._attempt.is_written:
            return
        code = self._read_field()
        name = self._turn.entry.id + ENDINGS[language_of_code(self._attempt.question, code)]
        file = SubmissionFile(self.quiz.paths.cache / "submissions", name)
        file.write(code)
        self._outside = file
        if editor.stands_beside(self.quiz.settings.editor):
            self._view.note(self.say("study.watching", path=file.path))
            self._watch.resume()
            self.run_worker(self._open_beside(file.path))
            return
        await self.quiz.edit_file(file.path, 1)
        await self._look_outside()
        self._outside = None

    async def _submit_code(self) -> None:
        """Have code graded, unless nothing was written, or it is what was graded last."""
        question = self._turn.question
        try:
            if isinstance(question, Kernel):
                self._grade(question)
                return
            submitting = advance(self._attempt, Submit(self._now_ms))
        except NotSubmitted as reason:
            self._view.note(self.say(why_not_submitted(reason)))
            self._typing_clears_note = True
            return
        submission = await self.call(self.asks.attempts.check, self._turn, submitting.text)
        self._attempt = submitting
        await self._take(submission)

    async def _take(self, submission: GradedSubmission) -> None:
        """Take a verdict: say why code failed, and go on with the attempt."""
        submission = self._turn.tell(submission)
        counted = isinstance(self._turn.question, Index)
        self._live = cast("Checked", submission) if counted else None  # is shown after giving up
        attempt = advance(self._attempt, TakeVerdict(self._now_ms, submission))
        if not submission.ran:
            self._view.note(self.say("study.never-ran"))
            self._typing_clears_note = True
        elif not submission.passed:
            said = "" if self._turn.grades_live else self._say_failures(len(attempt.failed))
            self._view.note(said)
        await self._become(attempt)
        if not submission.passed:
            self._mark()
            if self._view.at == "line":  # which says nothing of a submission that never ran
                self._view.go_to("verdict", typing=False)

    def _say_failures(self, failures: int) -> str:
        """Say what comes of submissions that failed."""
        return self.say("study.failures", n=failures)

    # While it is being written

    def _run_live(self) -> None:
        """Run the code once nothing is typed for a while."""
        if self._attempt.is_open and self._attempt.is_written and not self._grading:
            self._live_run.typed(self._turn)

    def on_text_area_changed(self) -> None:
        """Run the code that is being written."""
        self._run_live()

    def _show_live(self, turn: Turn, checked: Checked) -> None:
        """Show what came of running the code; in practice that is a test-run."""
        if turn is not self._turn or not self._attempt.is_open or self._grading:
            return
        self._live = turn.tell(checked)
        if turn.grades_live and not checked.unchanged:
            now = self._now_ms
            running = advance(self._attempt, Practise(now))
            self._attempt = advance(running, TakeVerdict(now, checked, practice=True))
        self._draw()
        refused = feedback.refused_line(checked)
        if refused or self._attempt.is_unjudged:  # else a verdict's mark would go again
            self._view.mark(refused, scrolls=False)

    def _inspect(self) -> None:
        """Show the newest that is known of the code: the verdict on it, or what was counted."""
        if self._attempt.is_graded and not self._attempt.shows_answer:
            self._view.inspect(None, self.say, live=False)
            return
        submitted = cast("Checked | None", self._attempt.submission)
        newer = self._live is not None and self._attempt.is_unjudged
        shown = self._live if newer else submitted
        self._view.inspect(shown, self.say, live=newer)

    def on_text_area_selection_changed(self, event: TextArea.SelectionChanged) -> None:
        """Show what is known of the line with the caret."""
        if event.text_area.id == "code":
            self._view.at_line(event.selection.end[0] + 1)

    def on_inspector_go_to(self, message: Inspector.GoTo) -> None:
        """Move the caret to the line that is spoken of."""
        self._view.move_caret(message.line)

    def on_inspector_mode_changed(self) -> None:
        """Show the keys that matter now; give the map, the steps and the values all the height."""
        self._view.make_room()
        self._draw_keys()

    def on_inspector_look(self, message: Inspector.Look) -> None:
        """Run the code once more to look at a thread; of several wishes the last one counts."""
        self.run_worker(self._look(message), group="look", exclusive=True)

    async def _look(self, message: Inspector.Look) -> None:
        await asyncio.sleep(LOOK_SECONDS)
        with suppress(QuizError):
            look = self.asks.examiner.record
            seen = await asyncio.to_thread(look, message.checked, message.moment, message.run)
            self._view.show_values(message.moment, seen)

    # Grading

    def _mark(self) -> None:
        """Mark the line of a kernel that is to blame."""
        if isinstance(self._turn.question, Kernel):
            self._view.mark(kernel_feedback.line_to_mark(self._attempt))

    async def _prepare(self, turn: Turn) -> None:
        """Prepare what grading needs; what is wrong is said when it is needed."""
        with suppress(QuizError):
            await asyncio.to_thread(self.asks.examiner.prepare, turn.question)

    def _grade(self, question: Kernel, *, practice: bool = False, on_gpu: bool = True) -> None:
        """Grade a kernel while the screen stays alive.

        Raises NotSubmitted: nothing was written, or it is what was graded last.
        """
        if self._grading:
            return
        action = Practise(self._now_ms) if practice else Submit(self._now_ms)
        self._attempt = advance(self._attempt, action)
        self._grading, self._canceled = True, False
        self._live_run.stop()
        self._view.note(self.say("kernel.running", key=self._key("back")))
        self._draw_keys()
        work = self._grade_kernel(question, self._attempt.text, practice=practice, on_gpu=on_gpu)
        self.run_worker(work, group="grade")

    async def _grade_kernel(
        self, question: Kernel, source: str, *, practice: bool, on_gpu: bool
    ) -> None:
        """Wait for the verdict, then take it, or only show it."""
        turn, self._chosen = self._turn, None
        try:
            checked = await self._in_thread(self.asks.examiner.check, question, source)
            if not on_gpu:
                checked = replace(checked, gpu=NotMeasured("cancelled", fact("gpu.skipped")))
            elif checked.passed and self.asks.examiner.measures(question):
                if not practice:
                    await self.call(self.asks.attempts.submit, turn, checked)
                checked = await self._measure(checked)
            else:
                checked = await self._in_thread(self.asks.examiner.measure, checked)
            if turn is not self._turn or not self._attempt.is_open:
                return
            if practice:
                self._live = None
                await self._act(TakeVerdict(self._now_ms, checked, practice=True))
                note = self.say("kernel.practised", key=self._key("check"))
                self._view.note(note)
                self._mark()
                return
            if not checked.passed:
                await self.call(self.asks.attempts.store_failure, turn, checked)
            await self._take(checked)
        except Cancelled:
            self._stop(turn)
            self._view.note(self.say("kernel.cancelled"))
        except QuizError as error:
            self._stop(turn)
            self._view.note("")
            self.quiz.tell(error)
        finally:
            self._grading = self._on_gpu = False
            if self.is_attached:
                self._run_live()
                self._draw_keys()

    async def _in_thread(
        self, grade: Callable[P, CheckedKernel], *args: P.args, **kwargs: P.kwargs
    ) -> CheckedKernel:
        """Grade in a thread, which may begin only after the person canceled."""
        grading = asyncio.create_task(asyncio.to_thread(grade, *args, **kwargs))
        while not (await asyncio.wait({grading}, timeout=CANCEL_SECONDS))[0]:
            if self._canceled:
                self.asks.examiner.cancel()
        return await grading

    def _stop(self, turn: Turn) -> None:
        """Go on with the attempt as before, without a verdict."""
        if turn is self._turn:
            self._attempt = advance(self._attempt, StopGrading(self._now_ms))

    async def _measure(self, checked: CheckedKernel) -> CheckedKernel:
        """Return the verdict with that of a GPU, while the seconds are counted."""
        measuring = asyncio.create_task(self._in_thread(self.asks.examiner.measure, checked))
        self._on_gpu = True
        self._draw_keys()
        for seconds in count():
            self._view.note(self.say("gpu.running", seconds=seconds, key=self._key("back")))
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
        if self._outside is None or not self._attempt.is_open:
            return
        text = self._outside.read_change()
        if text is not None:
            self._view.rewrite(text)
            kernel = isinstance(self._turn.question, Kernel)
            await self.run_action("practise" if kernel else "check")  # saving is not submitting
