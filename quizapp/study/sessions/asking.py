"""What an interface needs of whatever asks questions: the study, an interview, a placement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from quizapp.domain.attempt import GradedSubmission, Response
from quizapp.domain.question import CodeLanguage, Index
from quizapp.exercises import layouts
from quizapp.study.clock import TimeSource
from quizapp.study.examiner import Examiner
from quizapp.study.values import GradedResponse, Turn

if TYPE_CHECKING:
    from quizapp.exercises.kernels import CheckedKernel  # NumPy, 80 ms
    from quizapp.exercises.layouts import CheckedLayout  # NumPy, 80 ms


class Attempts:
    """Keeps what there is of an attempt before its answer; nothing where no other class says so.

    What is asked then takes half a minute, and is no code.
    """

    def check(self, turn: Turn, source: str) -> CheckedLayout:
        """Grade a layout; one that fails is stored, once, if that counts.

        Raises StoreError: it failed and is not stored.
        """
        assert isinstance(turn.question, Index)
        checked = layouts.check(turn.question, source)
        self.store_failure(turn, checked)
        return checked

    def store_failure(self, turn: Turn, submission: GradedSubmission) -> None:
        """Store a submission that failed, if that counts."""

    def submit(self, turn: Turn, checked: CheckedKernel) -> None:
        """Store a submission before a GPU is asked about it, if that counts."""

    def show_hint(self, turn: Turn, number: int) -> None:
        """Store that the `number`-th hint was shown, if that counts."""

    def keep_standing(self, turn: Turn, response: Response) -> None:
        """Store that this answer stands before it is compared, if that counts."""

    def save_draft(self, question: str, text: str, language: CodeLanguage = "python") -> None:
        """Keep a half-written answer; an empty one is forgotten."""


class Asking(Protocol):
    """Asks questions one after the other, and keeps what is answered."""

    examiner: Examiner
    clock: TimeSource

    @property
    def attempts(self) -> Attempts:
        """What is kept of an attempt before its answer."""

    def next(self) -> Turn | None:
        """Return the question whose turn it is; None at the end."""

    def still_asks(self, turn: Turn) -> bool:
        """Return True if this is still to be answered, as it was put."""

    def leave_out(self, question: str) -> None:
        """Leave a question out, since it has no verdict."""

    def grade(self, turn: Turn, response: Response) -> GradedResponse:
        """Grade a response. Nothing is stored yet."""

    def commit(self, graded: GradedResponse) -> None:
        """Store an answer, once, however often it is called."""

    def switch_language(self, turn: Turn) -> None:
        """Put the question in its other language from now on, if it has one."""


class AskingApart(Asking, Protocol):
    """Asks without cards: an interview or a placement, in which no question is put away."""

    @property
    def answers_stand(self) -> bool:
        """True if no answer can be taken back."""

    def take_back(self) -> bool | None:
        """Take the latest answer back, so that it is asked again; False if there is none.

        None if every answer stands.
        """
