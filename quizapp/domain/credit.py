"""What an answer counts in a mock interview: by how sure the person was, hints, failed submissions.

Pure. Honest confidence scores best on average.
"""

from __future__ import annotations

from typing import NamedTuple

from quizapp.domain.grading import Grade
from quizapp.domain.question import Index, Kernel, PutQuestion, Recall
from quizapp.domain.rating import Confidence, Effort

FAILURE_COSTS, LEAST_PASSED = 0.3, 0.3
"""Of the score of code in a mock interview: what each submission that failed takes off, and what
code that passes in the end scores at least."""

HINT_COSTS = 0.2
"""Of what an answer counts: what each hint takes off."""


class Stakes(NamedTuple):
    """What a right answer counts, and what a wrong one costs, 0–1."""

    right: float
    wrong: float


_STAKES = {
    None: Stakes(1.0, 0.4),
    Confidence.GUESS: Stakes(0.0, 0.0),
    Confidence.FAIRLY: Stakes(0.8, 0.5),
    Confidence.CERTAIN: Stakes(1.0, 1.0),
}


def can_be_sure(question: PutQuestion) -> bool:
    """Return True if one can say how sure one is: code is submitted until it passes."""
    return not isinstance(question, Index | Kernel)


def has_stakes(question: PutQuestion) -> bool:
    """Return True if an answer counts by how sure the person says to be, and is graded for them."""
    return can_be_sure(question) and not isinstance(question, Recall)


def stakes_of(confidence: Confidence | None, chance: float) -> Stakes:
    """Return the stakes of an answer: a wrong one costs at least what guesses win.

    `confidence`: None if the person was not asked, and has nothing to lose by that.
    `chance`: what a guess scores on average, less than 1.
    """
    right, wrong = _STAKES[confidence]
    return Stakes(right, min(1.0, max(wrong, right * chance / (1 - chance))))


def pays_from(confidence: Confidence) -> float:
    """Return the chance to be right from which it pays to be so sure, rather than a step less."""
    least, sure = _STAKES[Confidence(confidence - 1)], _STAKES[confidence]
    won, lost = sure.right - least.right, sure.wrong - least.wrong
    return lost / (won + lost)


def credit_of(question: PutQuestion, grade: Grade, effort: Effort, chance: float) -> float:
    """Return what an answer that was graded counts, -1 to 1."""
    credit = 0.0 if effort.gave_up else grade.score
    if has_stakes(question) and not effort.gave_up:
        right, wrong = stakes_of(effort.confidence, chance)
        credit = grade.score * right - (1 - grade.score) * wrong
    return round(credit * (after_hints(effort.hints) if credit > 0 else 1), 4)


def after_hints(hints: int) -> float:
    """Return the share of what an answer counts that is left after so many hints."""
    return max(0.0, 1 - HINT_COSTS * hints)


def after_failures(grade: Grade, failures: int) -> Grade:
    """Grade code after submissions that failed: mended code is right, and scores less."""
    if not grade.correct:
        return grade
    return Grade(correct=True, score=max(LEAST_PASSED, round(1 - FAILURE_COSTS * failures, 2)))
