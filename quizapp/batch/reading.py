"""Makes jobs of submissions that were found: reads each when its turn comes, or refuses it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from grader.facts import Fact, fact
from quizapp.batch.exercises import Exercises
from quizapp.batch.values import Job, Result, Submission
from quizapp.deck.regular_files import IrregularFile, read_regular
from quizapp.deck.submissions import LONGEST
from quizapp.domain.question import Language
from quizapp.report.words import Words
from quizapp.system import os_errors


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

    def read(self, submission: Submission) -> Job | Result:
        """Read a submission; what cannot be is refused."""
        if submission.fault is not None:
            return self._refuse(submission, submission.fault, submission.hint)
        found = self.exercises.find(submission.question, submission.language)
        if found.exercise is None:
            assert found.fault is not None
            return self._refuse(submission, found.fault, found.hint)
        try:
            source = read_regular(str(self.root / submission.file), LONGEST).decode("utf-8-sig")
        except IrregularFile as error:
            return self._refuse(
                submission, fact("grade.not-a-file", file=submission.file, what=error.what)
            )
        except UnicodeDecodeError as error:
            what = fact("code-file.not-utf8", file=submission.file, byte=error.start)
            return self._refuse(submission, what)
        except OSError as error:
            reason = os_errors.system_reason(error)
            what = fact("code-file.unreadable", file=submission.file, reason=reason)
            return self._refuse(submission, what)
        return Job(
            student=submission.student,
            question=found.id,
            file=submission.file,
            exercise=found.exercise,
            language=submission.language,
            source=source,
            seed=self.seed,
            said_in=self.said_in,
        )

    def _refuse(self, submission: Submission, what: Fact, hint: Fact | None = None) -> Result:
        return Result(
            student=submission.student,
            question=submission.question,
            file=submission.file,
            status="refused",
            reason=what,
            said=Words(self.said_in).in_line(what, hint),
        )
