"""What is graded, and what comes of it: plain values that travel as JSON or pickled."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, get_args

from msgspec import Meta, Struct

from grader.facts import Fact
from grader.wire import Text
from quizapp.domain.question import CodeLanguage, Index, Kernel, Language

Status = Literal["passed", "failed", "refused", "ungraded"]
"""`refused`: it never ran, since it could not be read or has no exercise. `ungraded`: no verdict,
since its grading was lost, too slow, or out of memory."""
STATUSES: tuple[Status, ...] = get_args(Status)
MOST_LINES = 200
"""Of a verdict's text."""


class SubmissionKey(NamedTuple):
    """What a submission is known by; each has one result."""

    student: str
    question: str


class BatchSubmission(NamedTuple):
    """A file that was found, and not read yet.

    Attributes:
        student: whose it is.
        question: the id of its exercise, or the name that was given where there is none.
        file: its path, as the result shows it.
        language: by the file's ending; None: as the text looks.
        fault: why it is refused unread; None if it is not. `hint` says what to do about it.
    """

    student: str
    question: str
    file: str
    language: CodeLanguage | None = None
    fault: Fact | None = None
    hint: Fact | None = None

    @property
    def key(self) -> SubmissionKey:
        """What it is known by."""
        return SubmissionKey(self.student, self.question)


class Job(Struct, frozen=True, kw_only=True):
    """All that a worker needs to grade a submission.

    Attributes:
        question: the id of its exercise.
        exercise: the exercise itself.
        author: who wrote it: no process judges by the references of two.
        language: of a kernel; None: as the text looks.
        seed: of the inputs that no submission knows, the same for a whole run.
        said_in: the language of the result's sentences.
    """

    student: str
    question: str
    file: str
    exercise: Kernel | Index
    author: str
    language: CodeLanguage | None
    source: str
    seed: int
    said_in: Language


class Result(Struct, frozen=True, kw_only=True):
    """What came of a submission; the same whoever graded it, and when.

    Attributes:
        language: of the code; empty where it was not read.
        sha256: of the source; empty where it was not read.
        gate: the key of the first check that failed; empty if none did.
        reason: why, as a fact; None if it passed.
        said: the same as a sentence.
        verdict: what `quiz grade --json` prints of it; None without a verdict.
        lines: the verdict as text.
    """

    student: Text
    question: Text
    file: Text
    language: CodeLanguage | Literal[""] = ""
    sha256: Text = ""
    status: Status
    gate: Text = ""
    reason: Fact | None = None
    said: Text = ""
    verdict: dict[str, Any] | None = None
    lines: Annotated[tuple[Text, ...], Meta(max_length=MOST_LINES)] = ()

    @property
    def key(self) -> SubmissionKey:
        """What its submission is known by."""
        return SubmissionKey(self.student, self.question)
