"""Maps a grade and the effort behind it to a rating, and says by which rule.

The rules are in `suggest`, in order; the screen shows the one that applied, and one key overrides
it. Knows nothing of schedules.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from statistics import median

from quizapp.domain.grading import Grade

EASY_NEEDS_ANSWERS = 20
"""So many earlier answers of a kind before its median time means anything."""

LEAST_DURATION_MS = 300
"""Shorter durations do not count in medians: a person cannot read and answer a question in less.

Plain mode used to log some: lines typed ahead, or read from a file, took it 2 ms. Nothing else in
the log tells those answers apart.
"""

RECALL_GOOD = 0.8
RECALL_HARD = 0.5
"""Share of rubric weight covered from which a recall is Good, or Hard."""


class Rating(IntEnum):
    """How well it was known; the values are FSRS's."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


class Confidence(IntEnum):
    """How sure the person said to be, before the answer was graded."""

    GUESS = 1
    FAIRLY = 2
    CERTAIN = 3


def is_confident_error(
    confidence: int | None, grade: Grade, *, is_recall: bool, credit: float | None = None
) -> bool:
    """Return True if a person was certain, and wrong.

    A recall with points covered is none: it is known in part, and nobody is certain of a rubric.
    Nor is an answer of a mock interview that is right in part, and counts: `credit`.
    """
    partly = (is_recall and grade.score > 0) or (credit or 0) > 0
    return confidence == Confidence.CERTAIN and not grade.correct and not partly


USUAL_CONFIDENCE = Confidence.FAIRLY
"""What a person said who only goes on."""


class Rule(StrEnum):
    """Which mapping gave a rating. The values are stored: never change one."""

    WRONG = "wrong"
    GAVE_UP = "gave-up"
    HINT_USED = "hint-used"
    TWO_FAILURES = "two-failures"
    UNAIDED = "unaided"
    FAST_AND_SURE = "fast-and-sure"
    COVERED_MOST = "covered-most"
    COVERED_HALF = "covered-half"
    COVERED_LITTLE = "covered-little"
    PERSON = "person"
    PARTLY = "partly"
    GUESSED = "guessed"
    FEW_WORDS = "few-words"


@dataclass(frozen=True, slots=True)
class Effort:
    """What an answer took: raw facts, no judgment.

    `hints` were shown, `failures` submissions ran and failed, `duration_ms` is thinking time.
    """

    hints: int = 0
    failures: int = 0
    gave_up: bool = False
    duration_ms: int = 0
    confidence: Confidence | None = None


@dataclass(frozen=True, slots=True)
class Pace:
    """The person's own speed for a kind of question, and whether this card was seen before."""

    first_exposure: bool
    durations_ms: tuple[int, ...] = ()
    asks_confidence: bool = True


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A rating and the rule that gave it."""

    rating: Rating
    rule: Rule


def suggest(grade: Grade, effort: Effort, pace: Pace) -> Suggestion:
    """Suggest the rating of an automatically graded answer."""
    if effort.gave_up:
        return Suggestion(Rating.AGAIN, Rule.GAVE_UP)
    if not grade.correct:
        return Suggestion(Rating.AGAIN, Rule.WRONG)
    if grade.score < 1:
        return Suggestion(Rating.HARD, Rule.PARTLY)
    if effort.hints:
        return Suggestion(Rating.HARD, Rule.HINT_USED)
    if effort.failures >= 2:
        return Suggestion(Rating.HARD, Rule.TWO_FAILURES)
    if effort.confidence is Confidence.GUESS:
        return Suggestion(Rating.HARD, Rule.GUESSED)
    if _fast_and_sure(effort, pace):
        return Suggestion(Rating.EASY, Rule.FAST_AND_SURE)
    return Suggestion(Rating.GOOD, Rule.UNAIDED)


def suggest_recall(grade: Grade, effort: Effort, *, is_terse: bool = False) -> Suggestion:
    """Suggest the rating of an interview answer, from the share of rubric weight it covered.

    `is_terse`: what was written can hardly hold what was ticked.
    """
    if effort.gave_up:
        return Suggestion(Rating.AGAIN, Rule.GAVE_UP)
    if grade.score < RECALL_HARD:
        return Suggestion(Rating.AGAIN, Rule.COVERED_LITTLE)
    if is_terse:
        return Suggestion(Rating.HARD, Rule.FEW_WORDS)
    if grade.score < RECALL_GOOD:
        return Suggestion(Rating.HARD, Rule.COVERED_HALF)
    if effort.hints:
        return Suggestion(Rating.HARD, Rule.HINT_USED)
    if effort.confidence is Confidence.GUESS:
        return Suggestion(Rating.HARD, Rule.GUESSED)
    return Suggestion(Rating.GOOD, Rule.COVERED_MOST)


def _fast_and_sure(effort: Effort, pace: Pace) -> bool:
    """Return True if it was right at once, below the median time, and certain if that is asked."""
    if pace.first_exposure or effort.failures or len(pace.durations_ms) < EASY_NEEDS_ANSWERS:
        return False
    if pace.asks_confidence and effort.confidence is not Confidence.CERTAIN:
        return False
    return effort.duration_ms < median(pace.durations_ms)
