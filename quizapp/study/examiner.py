"""Has kernels graded, in the referee's process and on a GPU: for every interface, from any thread.

What goes wrong there becomes an error of the application, with what to do about it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from quizapp.config import GpuSettings
from quizapp.domain.question import Kernel, PutQuestion, Spot
from quizapp.errors import Cancelled, Ungraded
from quizapp.gpu import NotMeasured, gpu_of, nobody

if TYPE_CHECKING:
    from grader.gpu import Gpu, GpuFailed
    from grader.kernels import Referee
    from quizapp.exercises.kernels import CheckedKernel  # NumPy, 80 ms
    from quizapp.exercises.spots import Spotted

_TRY_AGAIN = "what you wrote is kept: hand it in once more"
_NEXT = "go on with the next; `quiz lint` says what is wrong with it"


class Examiner:
    """Grades one submission at a time; `cancel` may be called meanwhile."""

    def __init__(self, gpu: Callable[[], GpuSettings] = lambda: GpuSettings(use=False)) -> None:
        """Nothing is started yet.

        Args:
            gpu: the settings that say where kernels run for real, as they are now.
        """
        self._referee: Referee | None = None
        self._spotted: dict[str, Spotted] = {}
        self._making = threading.Lock()
        self._gpu_settings = gpu
        self._gpu: Gpu | None = None
        self._gpu_for: GpuSettings | None = None
        self._no_gpu: NotMeasured | None = None
        """This machine has none after all: it was asked."""
        self._measuring = False

    def prepare(self, question: PutQuestion) -> None:
        """Work out beforehand what grading will need, while the person thinks.

        Raises:
            Ungraded: the question is at fault, or the process ended.
        """
        if isinstance(question, Spot):
            self.spotted(question)
        if isinstance(question, Kernel):
            from quizapp.exercises.kernels import problem  # noqa: PLC0415 - NumPy, 80 ms

            with _told(question):
                self._ready().prepare(problem(question))
            if self.measures(question):
                threading.Thread(target=self._warm, daemon=True).start()

    def check(self, question: Kernel, source: str) -> CheckedKernel:
        """The verdict on a kernel. Nothing of it is executed.

        Raises:
            Ungraded: there is none.
            Cancelled: the person ended it.
        """
        from quizapp.exercises.kernels import CheckedKernel, problem  # noqa: PLC0415 - NumPy, 80 ms

        with _told(question):
            return CheckedKernel(question, self._ready().grade(problem(question), source))

    def measures(self, question: PutQuestion) -> bool:
        """Whether a GPU is to be asked, too: of what the emulator passed."""
        timed = isinstance(question, Kernel) and question.gpu is not None
        return timed and self._nobody(self._gpu_settings()) is None

    def measured(self, checked: CheckedKernel) -> CheckedKernel:
        """The same with what a GPU says of it, or why none does; takes seconds.

        What the emulator failed is not run. No trouble with a GPU takes a verdict away.
        """
        question = checked.question
        if not checked.passed or question.gpu is None:
            return checked
        gpu = self._gpu_ready()
        if isinstance(gpu, NotMeasured):
            return replace(checked, gpu=gpu)
        from grader.gpu import GpuFailed  # noqa: PLC0415 - only where there is a GPU
        from quizapp.exercises.kernels import benchmark, problem  # noqa: PLC0415 - NumPy, 80 ms

        self._measuring = True
        try:
            with _told(question):
                found = gpu.grade(problem(question), checked.source, benchmark(question))
        except GpuFailed as error:
            return replace(checked, gpu=self._reason(gpu, error))
        except Ungraded as error:
            return replace(checked, gpu=NotMeasured("problem", error.what, error.hint))
        except KeyboardInterrupt:
            gpu.cancel()
            raise
        finally:
            self._measuring = False
        return replace(checked, gpu=found)

    def spotted(self, question: Spot) -> Spotted:
        """What is wrong with a kernel that is looked at; worked out once.

        Raises:
            Ungraded: nobody knows.
        """
        from quizapp.exercises.kernels import looked_at  # noqa: PLC0415 - NumPy, 80 ms
        from quizapp.exercises.spots import spotted  # noqa: PLC0415

        name = repr(question)  # code may be the same, and its launch another
        known = self._spotted.get(name)
        if known is None:
            with _told(question):
                known = spotted(self._ready().grade(looked_at(question), question.code))
            self._spotted[name] = known
        return known

    def cancel(self) -> None:
        """End what is being graded; who waits for it meets `Cancelled`, or an emulator's verdict.

        A warm process that nobody waits for stays.
        """
        if self._measuring and self._gpu is not None:
            self._gpu.cancel()
        elif self._referee is not None:
            self._referee.cancel()

    def close(self) -> None:
        """End the processes; grading again starts others."""
        if self._referee is not None:
            self._referee.close()
        if self._gpu is not None:
            self._gpu.close()

    def _warm(self) -> None:
        """Have the GPU's process started; what is wrong is said when it is needed."""
        from grader.gpu import GpuFailed  # noqa: PLC0415 - only where there is a GPU

        gpu = self._gpu_ready()
        if not isinstance(gpu, NotMeasured):
            try:
                gpu.describe()
            except GpuFailed as error:
                self._reason(gpu, error)

    def _reason(self, gpu: Gpu, error: GpuFailed) -> NotMeasured:
        """Why a GPU said nothing; that this machine has none is remembered."""
        reason = NotMeasured(error.kind, error.what, error.todo)
        if error.kind == "no-device" and gpu.host is None:
            self._no_gpu = reason
        return reason

    def _nobody(self, settings: GpuSettings) -> NotMeasured | None:
        """Why there is nobody to ask."""
        return nobody(settings) or (None if settings.host else self._no_gpu)

    def _gpu_ready(self) -> Gpu | NotMeasured:
        """The GPU of the settings as they are now."""
        settings = self._gpu_settings()
        reason = self._nobody(settings)
        if reason is not None:
            return reason
        with self._making:
            if self._gpu is not None and settings == self._gpu_for:
                return self._gpu
            if self._gpu is not None:
                self._gpu.close()
                self._gpu = None
            found = gpu_of(settings)
            if not isinstance(found, NotMeasured):
                self._gpu, self._gpu_for = found, settings
            return found

    def _ready(self) -> Referee:
        from grader.kernels import Referee  # noqa: PLC0415 - NumPy, 80 ms

        with self._making:
            if self._referee is None:
                self._referee = Referee()
            return self._referee


@contextmanager
def _told(question: PutQuestion) -> Iterator[None]:
    """Say in the application's words what keeps a submission from its verdict."""
    from grader.kernels import InvalidProblem, RefereeFailed, ReferenceFailed  # noqa: PLC0415
    from quizapp.exercises.errors import BadExercise  # noqa: PLC0415

    try:
        yield
    except RefereeFailed as error:
        if error.cancelled:
            raise Cancelled("cancelled", _TRY_AGAIN) from None
        raise Ungraded(error.what, _TRY_AGAIN) from None
    except (BadExercise, InvalidProblem, ReferenceFailed) as error:
        raise Ungraded(f"{question.id} cannot be graded: {error.what}", _NEXT) from None
