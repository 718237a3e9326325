"""What the preview knows of a file: its questions with everything shown, and what is wrong.

Reading is separate from showing, so that a broken state of the file can be merged with a good one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from quizapp.deck.compiler import compile_deck
from quizapp.deck.index import ContentRoot
from quizapp.deck.lint import files_at, lint
from quizapp.deck.problems import ContentProblem
from quizapp.domain.errors import Ungraded
from quizapp.domain.projection import Card
from quizapp.study.browsing import Revealed, examine, reveal
from quizapp.study.examiner import Examiner


@dataclass(frozen=True, slots=True)
class Picture:
    """What a file holds: its questions with everything shown, and what is wrong.

    `kept` is True if some of them are of an earlier state of the file.
    """

    questions: tuple[Revealed, ...] = ()
    problems: tuple[ContentProblem, ...] = ()
    kept: bool = False

    @property
    def names(self) -> list[str]:
        """The ids of the questions."""
        return [question.turn.entry.id for question in self.questions]


def read(path: Path, roots: Sequence[str | ContentRoot], examiner: Examiner) -> Picture:
    """Read the file as it is now; problems are those of `quiz lint`.

    Raises:
        UsageError, OSError: it is not there, or cannot be read.
    """
    problems = lint([path], roots).problems
    result = compile_deck(list(files_at(path, roots)))
    pairs = zip(result.compiled.entries, result.found, strict=True)
    questions = tuple(
        _examine(reveal(entry, item.question, Card(entry.id)), examiner) for entry, item in pairs
    )
    return Picture(questions, problems)


def _examine(question: Revealed, examiner: Examiner) -> Revealed:
    """Add what the emulator says; its failure to answer is one of the problems."""
    try:
        return replace(question, attempt=examine(question.attempt, examiner))
    except Ungraded:
        return question


def merge(before: Picture, now: Picture) -> Picture:
    """Merge the new picture with the old: a question that is broken now stays as it was."""
    if not now.questions:
        return replace(now, questions=before.questions, kept=bool(before.questions))
    broken = {problem.question for problem in now.problems} - set(now.names)
    fresh = dict(zip(now.names, now.questions, strict=True))
    old = dict(zip(before.names, before.questions, strict=True))
    kept = [name for name in before.names if name in broken]
    if not kept:
        return now
    order = [name for name in before.names if name in fresh or name in broken]
    order += [name for name in now.names if name not in old]
    questions = tuple(fresh[name] if name in fresh else old[name] for name in order)
    return replace(now, questions=questions, kept=True)
