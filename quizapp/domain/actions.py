"""What can happen to an attempt: each action beside its effect. An impossible one changes nothing.

The person acts, or a grader reports. `quizapp.domain.attempt.advance` counts the time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from quizapp.domain.attempt import (
    Action,
    AnswerKey,
    Assessment,
    Attempt,
    GradedSubmission,
    InputsKey,
    Phase,
    starter_of,
)
from quizapp.domain.grading import NotSubmitted, read_number
from quizapp.domain.question import (
    Choice,
    FactChoice,
    InputChoice,
    Number,
    PutQuestion,
    Recall,
    Spot,
)
from quizapp.domain.rating import Confidence, Rating
from quizapp.domain.starters import is_starter
from quizapp.domain.typed.inputs import add_input, read_input


class NothingPicked(NotSubmitted):
    """No option, or no kind of bug, is picked."""


class OtherCount(NotSubmitted):
    """The prompt asks for another number of options than are picked."""


class NothingWritten(NotSubmitted):
    """There is no code to submit."""


class AlreadyGraded(NotSubmitted):
    """The code is what was graded last."""


class StarterUnchanged(NotSubmitted):
    """The code is the starter."""


@dataclass(frozen=True, slots=True)
class Pick(Action):
    """Pick the row shown at `row`, or unpick it; while comparing, tick a point."""

    row: int

    def apply(self, attempt: Attempt) -> Attempt:
        """Return the attempt with that row picked."""
        question = attempt.question
        if not 0 <= self.row < attempt.rows or not attempt.has_cursor:
            return attempt
        if isinstance(question, Spot):
            return replace(attempt, picked=frozenset({self.row}))
        attempt = replace(attempt, cursor=self.row)
        if attempt.phase is Phase.COMPARING:
            return replace(attempt, covered=attempt.covered ^ {self.row})
        if not isinstance(question, Choice):
            return attempt
        own = frozenset({attempt.order[self.row]})
        if isinstance(question, FactChoice):  # what was told stays told
            return replace(attempt, picked=attempt.picked | own)
        return replace(attempt, picked=attempt.picked ^ own if question.several else own)


@dataclass(frozen=True, slots=True)
class AddInput(Action):
    """Add an input that the person typed to those of the question, and pick it if it may be."""

    text: str

    def apply(self, attempt: Attempt) -> Attempt:
        """Return the attempt with that input.

        Raises BadInput: it is none of this kernel, or is there already.
        """
        question = attempt.question
        if not isinstance(question, InputChoice) or not attempt.is_open:
            return attempt
        more = add_input(question, read_input(question.kernel, self.text))
        own = len(question.options)
        picked = attempt.picked | {own} if len(attempt.picked) < question.pick else attempt.picked
        order = (*attempt.order, own)
        return replace(attempt, question=more, order=order, picked=picked, cursor=own)


@dataclass(frozen=True, slots=True)
class MoveAction(Action):
    """Move the cursor by `rows`, staying within the rows, or the lines of a `spot`."""

    rows: int

    def apply(self, attempt: Attempt) -> Attempt:
        """Return the attempt with the cursor there."""
        question, last = attempt.question, attempt.rows - 1
        if not attempt.has_cursor:
            return attempt
        if isinstance(question, Spot):
            last = question.code.rstrip("\n").count("\n")
        return replace(attempt, cursor=max(0, min(last, attempt.cursor + self.rows)))


@dataclass(frozen=True, slots=True)
class Write(Action):
    """Replace what is written with `text`."""

    text: str

    def apply(self, attempt: Attempt) -> Attempt:
        """Return the attempt with that text."""
        return replace(attempt, text=self.text) if attempt.is_open else attempt


@dataclass(frozen=True, slots=True)
class StartOver(Action):
    """Forget what is written or picked, and what is pending; what was told stays told."""

    def apply(self, attempt: Attempt) -> Attempt:
        """Return the attempt with nothing written."""
        if not attempt.is_open:
            return attempt
        told = isinstance(attempt.question, FactChoice)
        picked = attempt.picked if told else frozenset[int]()
        return replace(attempt, text="", pending="", picked=picked)


@dataclass(frozen=True, slots=True)
class ShowHint(Action):
    """Show one more hint."""

    def apply(self, attempt: Attempt) -> Attempt:
        """Return the attempt with one more hint, if there is one."""
        if not attempt.is_open or not attempt.hints_left:
            return attempt
        return replace(attempt, hints=attempt.hints + 1)


@dataclass(frozen=True, slots=True)
class Submit(Action):
    """Let the answer stand: ask how sure, compare a recall, or grade."""

    def apply(self, attempt: Attempt) -> Attempt:
        """Return the attempt with its answer submitted.

        Raises NotSubmitted: nothing is picked or written, or another number of options than the
        prompt asks for; the code is the starter or was graded just now; or what is written is not a
        number.
        """
        if not attempt.is_open or attempt.phase is Phase.GRADING:
            return attempt
        if attempt.is_written:
            return _submit_code(attempt)
        question = attempt.question
        if isinstance(question, Choice | Spot) and not attempt.picked:
            raise NothingPicked
        if isinstance(question, Choice) and question.stated_count not in (0, len(attempt.picked)):
            raise OtherCount
        if isinstance(question, Number):
            attempt = replace(attempt, value=read_number(question, attempt.text))
        if attempt.asks_confidence:
            return replace(attempt, phase=Phase.CONFIDENCE)
        return _judge(attempt)


@dataclass(frozen=True, slots=True)
class Practise(Action):
    """Have code graded without submitting it."""

    def apply(self, attempt: Attempt) -> Attempt:
        """Return the attempt waiting for the verdict."""
        if not attempt.is_open or not attempt.is_written:
            return attempt
        return replace(attempt, phase=Phase.GRADING)


@dataclass(frozen=True, slots=True)
class TakeVerdict(Action):
    """A grader is done with code: it is solved, or the attempt goes on.

    `practice` if the code was only tried out: then it is neither a solution nor a failure.
    """

    submission: GradedSubmission
    practice: bool = False

    def apply(self, attempt: Attempt) -> Attempt:
        """Return the attempt with that verdict, unless it is too late for one."""
        submission = self.submission
        if attempt.phase is Phase.REVEALED:
            return replace(attempt, submission=submission)
        if attempt.phase is not Phase.GRADING or attempt.is_final:
            return attempt
        attempt = replace(
            attempt, phase=Phase.ANSWERING, submission=submission, is_practice=self.practice
        )
        if self.practice:
            return attempt
        attempt = replace(attempt, pending="")
        if submission.passed:
            return _grade(replace(attempt, text=submission.source))
        if not submission.ran:
            return attempt
        return replace(attempt, failed=tuple(dict.fromkeys([*attempt.failed, submission.source])))


@dataclass(frozen=True, slots=True)
class StopGrading(Action):
    """There is no verdict on the code: grading was cancelled, or failed."""

    def apply(self, attempt: Attempt) -> Attempt:
        """Return the attempt as it was before it was submitted."""
        if attempt.phase is Phase.GRADING and not attempt.is_final:
            return replace(attempt, phase=Phase.ANSWERING)
        return attempt


@dataclass(frozen=True, slots=True)
class Withdraw(Action):
    """Go back to the question, while nothing of the answer is shown."""

    def apply(self, attempt: Attempt) -> Attempt:
        """Return the attempt with its answer open again."""
        if attempt.phase is not Phase.CONFIDENCE:
            return attempt
        return replace(attempt, phase=Phase.ANSWERING)


@dataclass(frozen=True, slots=True)
class StateConfidence(Action):
    """Say how sure, before anything of the answer is shown; None if the person does not say."""

    confidence: Confidence | None

    def apply(self, attempt: Attempt) -> Attempt:
        """Return the attempt with that confidence."""
        if attempt.phase is not Phase.CONFIDENCE:
            return attempt
        return _judge(replace(attempt, confidence=self.confidence))


@dataclass(frozen=True, slots=True)
class Accept(Action):
    """Let the ticks stand."""

    def apply(self, attempt: Attempt) -> Attempt:
        """Return the attempt with its points covered."""
        return _grade(attempt) if attempt.phase is Phase.COMPARING else attempt


@dataclass(frozen=True, slots=True)
class GiveUp(Action):
    """Show the answer: there is none of the person's, and no verdict on what they submitted."""

    def apply(self, attempt: Attempt) -> Attempt:
        """Return the attempt given up."""
        if not attempt.is_open:
            return attempt
        return _grade(replace(attempt, gave_up=True, submission=None))


@dataclass(frozen=True, slots=True)
class TakeKey(Action):
    """The emulator reports what is wrong with the kernel of a `spot`, or what inputs find.

    `question`: that says which options are right by that.
    """

    key: AnswerKey | InputsKey
    question: PutQuestion | None = None

    def apply(self, attempt: Attempt) -> Attempt:
        """Return the attempt with that key."""
        return replace(attempt, key=self.key, question=self.question or attempt.question)


@dataclass(frozen=True, slots=True)
class TakeAssessment(Action):
    """The response has its grade and the rating it suggests."""

    assessment: Assessment

    def apply(self, attempt: Attempt) -> Attempt:
        """Return the attempt graded."""
        if not attempt.is_final or attempt.is_graded:
            return attempt
        return replace(attempt, phase=Phase.GRADED, assessment=self.assessment)


@dataclass(frozen=True, slots=True)
class Override(Action):
    """Choose a rating; the suggested one again, too."""

    rating: Rating

    def apply(self, attempt: Attempt) -> Attempt:
        """Return the attempt with that rating."""
        if attempt.assessment is None:
            return attempt
        if self.rating is attempt.assessment.suggestion.rating:
            return replace(attempt, phase=Phase.GRADED, rating=None)
        return replace(attempt, phase=Phase.OVERRIDDEN, rating=self.rating)


@dataclass(frozen=True, slots=True)
class RevealAction(Action):
    """Show everything about a question that is only looked at."""

    def apply(self, attempt: Attempt) -> Attempt:
        """Return the question with all its hints and its answer."""
        return replace(attempt, phase=Phase.REVEALED, hints=len(attempt.question.hints))


def _submit_code(attempt: Attempt) -> Attempt:
    """Have code graded, unless there is none, or it is the starter, or what was graded last."""
    last = attempt.submission
    if not attempt.text.strip():
        raise NothingWritten
    if is_starter(attempt.text, starter_of(attempt.question)):
        raise StarterUnchanged
    graded = last is not None and last.source == attempt.text and not attempt.is_practice
    if graded and attempt.text != attempt.pending:
        raise AlreadyGraded
    return replace(attempt, phase=Phase.GRADING)


def _judge(attempt: Attempt) -> Attempt:
    """Compare a recall with the model answer, now or later; grade any other answer."""
    if isinstance(attempt.question, Recall):
        phase = Phase.STANDING if attempt.withholds else Phase.COMPARING
        return replace(attempt, phase=phase, cursor=0)
    return _grade(attempt)


def _grade(attempt: Attempt) -> Attempt:
    return replace(attempt, phase=Phase.GRADING, is_final=True)
