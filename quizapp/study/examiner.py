"""Has kernels graded, in the referee's process: for every interface, from any thread.

What goes wrong there becomes an error of the application, with what to do about it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from quizapp.domain.question import Kernel, PutQuestion, Spot
from quizapp.errors import Cancelled, Ungraded

if TYPE_CHECKING:
    from grader.kernels import Referee
    from quizapp.exercises.kernels import CheckedKernel  # NumPy, 80 ms
    from quizapp.exercises.spots import Spotted

_TRY_AGAIN = "what you wrote is kept: hand it in once more"
_NEXT = "go on with the next; `quiz lint` says what is wrong with it"


class Examiner:
    """Grades one submission at a time; `cancel` may be called meanwhile."""

    def __init__(self) -> None:
        self._referee: Referee | None = None
        self._spotted: dict[str, Spotted] = {}
        self._making = threading.Lock()

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

    def check(self, question: Kernel, source: str) -> CheckedKernel:
        """The verdict on a kernel. Nothing of it is executed.

        Raises:
            Ungraded: there is none.
            Cancelled: the person ended it.
        """
        from quizapp.exercises.kernels import CheckedKernel, problem  # noqa: PLC0415 - NumPy, 80 ms

        with _told(question):
            return CheckedKernel(question, self._ready().grade(problem(question), source))

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
        """End what is being graded; who waits for it meets `Cancelled`."""
        if self._referee is not None:
            self._referee.cancel()

    def close(self) -> None:
        """End the process; grading again starts another."""
        if self._referee is not None:
            self._referee.close()

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
