"""Has kernels graded, in the referee's process and on a GPU: for every interface, from any thread.

What goes wrong there becomes an error of the application, with what to do about it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from grader import compiled as compiled_grader
from grader import gpu as gpu_grader
from grader import kernel_worker
from grader import kernels as kernel_grader
from grader.facts import fact
from quizapp.domain.errors import Cancelled, Ungraded
from quizapp.domain.grading import BadInput
from quizapp.domain.question import Index, InputChoice, Kernel, PutQuestion, Spot, WrongKernel
from quizapp.domain.typed import inputs as typed_inputs
from quizapp.exercises import (
    faults,
    kernel_mistakes,
    kernels,
    known_results,
    layouts,
    spots,
    tried_inputs,
)
from quizapp.system.config import GpuSettings
from quizapp.system.gpu import NotMeasured, explain_absence, gpu_of
from quizapp.system.kept_results import keep_results, read_results

if TYPE_CHECKING:
    from pathlib import Path

    from grader.compiled import KernelCompiler
    from grader.gpu import Gpu, GpuFailed
    from grader.kernels import KernelGrade, Referee, Snapshot
    from grader.probes import KernelProbes
    from grader.simt import Moment
    from quizapp.exercises.kernel_mistakes import KernelMistakes
    from quizapp.exercises.kernels import CheckedKernel, Compilation
    from quizapp.exercises.layouts import CheckedLayout
    from quizapp.exercises.spots import SpotAnswer
    from quizapp.exercises.tried_inputs import TriedInputs

_COMPILE_SECONDS = 20.0
"""For one kernel: 2 s the first time on an idle machine, 0.6 s then."""
_SUBMIT_AGAIN = fact("grading.submit-again")


class Examiner:
    """Grades one submission at a time; `cancel` may be called meanwhile."""

    def __init__(
        self,
        gpu: Callable[[], GpuSettings] = lambda: GpuSettings(use=False),
        *,
        repeatable: bool = False,
        results: Path | None = None,
    ) -> None:
        """Nothing is started yet.

        `gpu`: the settings that say where kernels run for real, as they are now. `repeatable`: what
        is said depends on the submission alone. Nothing is compiled, since the compiler may be
        missing elsewhere; and a process that ends while it works out what a verdict stands without
        leaves no verdict. `results`: the folder that keeps what mutants came to; None to keep
        nothing.
        """
        self._repeatable = repeatable
        self._results = results
        self.author = ""
        """Who wrote the questions to come, for `Referee.author`; where they come one by one."""
        self._referee: Referee | None = None
        self._observer: Referee | None = None
        """Runs what is still being written, so that a submission never waits for it."""
        self._observing = 0
        self._spotted: dict[str, SpotAnswer] = {}
        self._runs: dict[str, dict[str, str]] = {}
        """By kernel, what was run at inputs: shared by what is prepared and what is asked."""
        self._known_mistakes: KernelMistakes | None = None
        self._compiler: KernelCompiler | None = None
        self._starting = threading.Lock()
        self._gpu_settings = gpu
        self._gpu: Gpu | None = None
        self._gpu_for: GpuSettings | None = None
        self._no_gpu: NotMeasured | None = None
        """This machine has none after all: it was asked."""
        self._measuring = False
        self._absent: NotMeasured | None = None
        """Why there is no GPU, as it was said: saying it once a session is enough."""

    def prepare(self, question: PutQuestion) -> None:
        """Work out beforehand what grading will need, while the person thinks.

        Raises Ungraded: the question is at fault, or the process ended.
        """
        if isinstance(question, Spot):
            self.find_bug(question)
        if isinstance(question, InputChoice):
            self.try_inputs(question)
        if isinstance(question, Kernel):
            with _explain_failures(question):
                referee = self._ready(in_triton=question.triton is not None)
                referee.prepare(kernels.problem(question))
            if self.measures(question):
                threading.Thread(target=self.open_gpu, daemon=True).start()

    def check(self, question: Kernel, source: str, hidden: int | None = None) -> CheckedKernel:
        """Grade a kernel. Nothing of it is executed.

        `hidden`: as of `kernels.problem`.

        Raises:
            Ungraded: there is none.
            Cancelled: the person ended it.
        """
        with _explain_failures(question):
            referee = self._ready(in_triton=question.triton is not None)
            asked = kernels.problem(question, hidden)
            grade = partial(referee.grade, asked)
            graded = grade(source, advise=True)
            checked = kernels.CheckedKernel(question, graded)
            with self._do_without():
                checked = replace(checked, mistake=self._mistake(question, graded, grade))
            if graded.verdict.fails_at("runs: budget"):
                with self._do_without():
                    stopped = replace(asked, shapes=(graded.runs[-1].shape,))
                    beside = referee.observe(stopped, question.solution or "")
                    checked = replace(checked, reference=beside)
        return replace(checked, compiled=self._compile(question, graded))

    @contextmanager
    def _do_without(self) -> Iterator[None]:
        """Let a verdict stand without what the process failed to add, unless it is repeatable."""
        try:
            yield
        except kernel_grader.RefereeFailed:
            if self._repeatable:
                raise

    def observe(
        self, question: Kernel | Index, source: str, *, whole: bool = False
    ) -> CheckedKernel | CheckedLayout | None:
        """Run what is still being written; None if something newer is run already, or it cannot be.

        What is still running is ended. A kernel runs at its first shape, and nothing is said of
        values and findings.

        `whole`: say everything, as of a submission.
        """
        if isinstance(question, Index):
            with suppress(faults.BadExercise):
                return layouts.check(question, source)
            return None
        self.stop_observing()
        with self._starting:
            if self._observer is None:
                self._observer = kernel_grader.Referee()
            self._observing += 1
        try:
            problem = kernels.problem(question)
            run = self._observer.grade if whole else self._observer.observe
            return kernels.CheckedKernel(question, run(problem, source))
        except kernel_grader.RefereeFailed:
            return None
        except _ungraded():
            return None
        finally:
            with self._starting:
                self._observing -= 1

    def stop_observing(self) -> None:
        """End the run of what is being written, if one goes on."""
        if self._observing and self._observer is not None:
            self._observer.cancel()

    def record(self, checked: CheckedKernel, moment: Moment, run: int = 0) -> Snapshot | None:
        """Look at one thread of a kernel in one line, in a run of its own.

        `moment`: which thread, in which line. `run`: at which of the question's shapes.

        Returns:
            What was seen; None if it cannot be run.

        Raises:
            Ungraded: the process failed.
            Cancelled: the person ended it.
        """
        with _explain_failures(checked.question):
            problem = kernels.problem(checked.question)
            return self._ready().record(problem, checked.source, moment, run)

    def probe(self, checked: CheckedKernel) -> KernelProbes | None:
        """Make questions from a kernel that passed; None if it cannot be run again.

        Raises:
            Ungraded: the process failed.
            Cancelled: the person ended it.
        """
        with _explain_failures(checked.question):
            problem = kernels.problem(checked.question)
            return self._ready().probe(problem, checked.source)

    def _mistake(
        self, question: Kernel, graded: KernelGrade, grade: Callable[[str], KernelGrade]
    ) -> WrongKernel | None:
        """Find the listed mistake that it makes."""
        if self._known_mistakes is None:
            self._known_mistakes = kernel_mistakes.KernelMistakes()
        return self._known_mistakes.of(question, graded, grade)

    def _compile(self, question: Kernel, graded: KernelGrade) -> Compilation | None:
        """Compile a kernel that passed, where the compiler is installed; 1 s while it is warm."""
        if self._repeatable or not graded.passed:
            return None
        if question.triton is not None or not compiled_grader.is_installed(question.language):
            return None
        with self._starting:
            if self._compiler is None:
                self._compiler = compiled_grader.KernelCompiler(_COMPILE_SECONDS)
        try:
            return kernels.compile_kernel(self._compiler, kernels.problem(question), graded)
        except compiled_grader.CompileFailed:
            return None  # the verdict stands; `quiz profile --compile` says why

    def measures(self, question: PutQuestion) -> bool:
        """Return True if a GPU judges it too, once the emulator passed it."""
        timed = isinstance(question, Kernel) and question.gpu is not None
        return timed and self._why_no_gpu(self._gpu_settings()) is None

    def open_gpu(self) -> NotMeasured | None:
        """Start the GPU's process; return why there is no GPU."""
        gpu = self._gpu_ready()
        if isinstance(gpu, NotMeasured):
            return gpu
        try:
            gpu.describe()
        except gpu_grader.GpuFailed as error:
            return self._reason(gpu, error)
        return None

    def measure(self, checked: CheckedKernel, hidden: int | None = None) -> CheckedKernel:
        """Add what a GPU says of it, or why none does; takes seconds.

        What the emulator failed is not run. No trouble with a GPU takes a verdict away.

        `hidden`: as of `kernels.problem`.
        """
        question = checked.question
        if not checked.passed or question.gpu is None:
            return checked
        gpu = self._gpu_ready()
        if isinstance(gpu, NotMeasured):
            known, self._absent = self._absent, gpu
            said = gpu == known and not self._repeatable
            return checked if said else replace(checked, gpu=gpu)
        self._measuring = True
        try:
            with _explain_failures(question):
                problem = kernels.problem(question, hidden)
                found = gpu.grade(problem, checked.source, kernels.benchmark(question))
        except gpu_grader.GpuFailed as error:
            return replace(checked, gpu=self._reason(gpu, error))
        except Ungraded as error:
            return replace(checked, gpu=NotMeasured("problem", error.what, error.hint))
        except KeyboardInterrupt:
            gpu.cancel()
            raise
        finally:
            self._measuring = False
        measured = replace(checked, gpu=found)
        if found.verdict.fails_at("speedup"):
            with _explain_failures(question), self._do_without():
                measured = self._add_costs(measured)
        return measured

    def _add_costs(self, checked: CheckedKernel) -> CheckedKernel:
        """Add what a kernel that is too slow does more than the solution."""
        problem, solution = kernels.problem(checked.question), checked.question.solution or ""
        graded = self._ready().grade(problem, solution)
        compiled = self._compile(checked.question, graded)
        return replace(kernels.add_costs(checked, graded), solution=compiled)

    def find_bug(self, question: Spot) -> SpotAnswer:
        """Find what is wrong with the kernel of a `spot`, once.

        Raises Ungraded: the emulator does not say.
        """
        name = repr(question)  # code may be the same, and its launch another
        known = self._spotted.get(name)
        if known is None:
            with _explain_failures(question):
                graded = self._ready().grade(kernels.spot_problem(question), question.code)
                known = spots.find_answer(question, graded)
            self._spotted[name] = known
        return known

    def try_inputs(
        self, question: InputChoice, told: Callable[[int, int], None] = lambda _done, _of: None
    ) -> TriedInputs:
        """Find which mistakes of a kernel each of the offered inputs finds; a result is kept.

        `told`: the progress: how many mistakes of how many were run.

        Raises:
            Ungraded: they cannot be run.
            Cancelled: the person ended it.
        """
        with self._explain_runs(question) as find_failure:
            return tried_inputs.try_inputs(question, find_failure, told)

    def check_input(self, question: InputChoice, text: str) -> None:
        """Check that the kernel can be tested with an input that a person typed.

        Raises:
            BadInput: it is none, or the right kernel fails there.
            Ungraded: it cannot be run.
            Cancelled: the person ended it.
        """
        given = typed_inputs.read_input(question.kernel, text)
        typed_inputs.add_input(question, given)
        with self._explain_runs(question) as find_failure:
            refused = tried_inputs.refuse_input(question, given, find_failure)
        if refused is not None:
            raise BadInput(refused)

    @contextmanager
    def _explain_runs(self, question: InputChoice) -> Iterator[known_results.FindFailure]:
        """Give what runs a kernel, or knows what it came to."""
        name = f"{question.kernel.id}-{question.kernel.language}"
        known = self._runs.get(name)
        if known is None:
            known = self._runs[name] = read_results(self._results, name)
        before = len(known)
        try:
            with _explain_failures(question):
                yield known_results.remember(self._ready().find_failure, known)
        finally:
            if len(known) != before:
                keep_results(self._results, name, known)

    def cancel(self) -> None:
        """End what is being graded: the caller gets `Cancelled`, or the emulator's verdict.

        A warm process that grades nothing stays.
        """
        if self._measuring and self._gpu is not None:
            self._gpu.cancel()
        elif self._referee is not None:
            self._referee.cancel()
        if self._compiler is not None:
            self._compiler.cancel()

    def close(self) -> None:
        """End the processes; grading again starts others."""
        if self._observer is not None:
            self._observer.close()
        if self._referee is not None:
            self._referee.close()
        if self._gpu is not None:
            self._gpu.close()
        if self._compiler is not None:
            self._compiler.close()

    def _reason(self, gpu: Gpu, error: GpuFailed) -> NotMeasured:
        """Say why a GPU said nothing, and remember that this machine has none."""
        reason = NotMeasured(error.kind, error.what, error.todo)
        if error.kind == "no-device" and gpu.host is None:
            self._no_gpu = reason
        return reason

    def _why_no_gpu(self, settings: GpuSettings) -> NotMeasured | None:
        """Say why there is no GPU to ask."""
        return explain_absence(settings) or (None if settings.host else self._no_gpu)

    def _gpu_ready(self) -> Gpu | NotMeasured:
        """Return the GPU of the settings as they are now."""
        settings = self._gpu_settings()
        reason = self._why_no_gpu(settings)
        if reason is not None:
            return reason
        with self._starting:
            if self._gpu is not None and settings == self._gpu_for:
                return self._gpu
            if self._gpu is not None:
                self._gpu.close()
                self._gpu = None
            found = gpu_of(settings)
            if not isinstance(found, NotMeasured):
                self._gpu, self._gpu_for = found, settings
            return found

    def _ready(self, *, in_triton: bool = False) -> Referee:
        with self._starting:
            if self._referee is None:
                # It starts while `grader.kernels` is loaded; one for Triton is another.
                worker = None if in_triton else kernel_worker.start()
                self._referee = kernel_grader.Referee(process=worker)
            self._referee.author = self.author
            return self._referee


@contextmanager
def _explain_failures(question: PutQuestion) -> Iterator[None]:
    """Turn what keeps a submission from its verdict into an error of the application."""
    try:
        yield
    except kernel_grader.RefereeFailed as error:
        if error.cancelled:
            raise Cancelled(fact("grading.cancelled"), _SUBMIT_AGAIN) from None
        raise Ungraded(error.what, _SUBMIT_AGAIN) from None
    except _ungraded() as error:
        said = error.fault.located_fact if isinstance(error, faults.BadExercise) else error.what
        what = fact("grading.failed", question=question.id, reason=said)
        raise Ungraded(what) from None


def _ungraded() -> tuple[
    type[faults.BadExercise],
    type[kernel_grader.InvalidProblem],
    type[kernel_grader.ReferenceFailed],
]:
    """Return what is wrong with a question that cannot be graded.

    Not a constant: that would load the emulator before home is drawn.
    """
    return faults.BadExercise, kernel_grader.InvalidProblem, kernel_grader.ReferenceFailed
