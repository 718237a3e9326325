"""Makes jobs of submissions that were found: reads each when its turn comes, or refuses it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from grader.facts import Fact
from quizapp.batch.exercises import Exercises
from quizapp.batch.values import BatchSubmission, Job, Result
from quizapp.deck.submissions import read_source
from quizapp.domain.errors import UsageError
from quizapp.domain.question import Language
from quizapp.report.words import Words


class Reader(NamedTuple):
    """Reads the submissions of a run.

    Attributes:
        root: what their files are relative to.
        seed: of the inputs that no submission knows.
        said_in: the language of sentences.
    """

    root: Path
    exercises: Exercises
    seed: int
    said_in: Language

    def read(self, submission: BatchSubmission) -> Job | Result:
        """Read a submission; what cannot be is refused."""
        if submission.fault is not None:
            return self._refuse(submission, submission.fault, submission.hint)
        found = self.exercises.find(submission.question, submission.language)
        if found.exercise is None:
            assert found.fault is not None
            return self._refuse(submission, found.fault, found.hint)
        try:
            source = read_source(self.root / submission.file, submission.file)
        except UsageError as error:
            return self._refuse(submission, error.what, error.hint)
        return Job(
            student=submission.student, question=found.id, file=submission.file,
            exercise=found.exercise, author=found.author, language=submission.language,
            source=source, seed=self.seed, said_in=self.said_in,
        )  # fmt: skip

    def _refuse(self, submission: BatchSubmission, what: Fact, hint: Fact | None = None) -> Result:
        return Result(
            student=submission.student,
            question=submission.question,
            file=submission.file,
            status="refused",
            reason=what,
            said=Words(self.said_in).in_line(what, hint),
        )
