"""From what a person did to a rating, and by which rule.

The rules stand in `suggest`, in order; the screen shows the one that applied, and one key overrides
it. Knows nothing of schedules.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from statistics import median

EASY_NEEDS_ANSWERS = 20
"""So many earlier answers of a kind before its median time means anything."""

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


@dataclass(frozen=True, slots=True)
class Effort:
    """How an answer came about: raw facts, no judgement."""

    correct: bool
    score: float = 1.0
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


def suggest(effort: Effort, pace: Pace) -> Suggestion:
    """The rating of an automatically graded answer."""
    if effort.gave_up:
        return Suggestion(Rating.AGAIN, Rule.GAVE_UP)
    if not effort.correct:
        return Suggestion(Rating.AGAIN, Rule.WRONG)
    if effort.hints:
        return Suggestion(Rating.HARD, Rule.HINT_USED)
    if effort.failures >= 2:  # noqa: PLR2004 - the rule itself
        return Suggestion(Rating.HARD, Rule.TWO_FAILURES)
    if _fast_and_sure(effort, pace):
        return Suggestion(Rating.EASY, Rule.FAST_AND_SURE)
    return Suggestion(Rating.GOOD, Rule.UNAIDED)


def suggest_recall(effort: Effort) -> Suggestion:
    """The rating of an interview answer, from the share of rubric weight it covered."""
    if effort.gave_up:
        return Suggestion(Rating.AGAIN, Rule.GAVE_UP)
    if effort.score < RECALL_HARD:
        return Suggestion(Rating.AGAIN, Rule.COVERED_LITTLE)
    if effort.score < RECALL_GOOD:
        return Suggestion(Rating.HARD, Rule.COVERED_HALF)
    if effort.hints:
        return Suggestion(Rating.HARD, Rule.HINT_USED)
    return Suggestion(Rating.GOOD, Rule.COVERED_MOST)


def _fast_and_sure(effort: Effort, pace: Pace) -> bool:
    """Right at once, faster than the person's own median, and certain where that was asked."""
    if pace.first_exposure or effort.failures or len(pace.durations_ms) < EASY_NEEDS_ANSWERS:
        return False
    if pace.asks_confidence and effort.confidence is not Confidence.CERTAIN:
        return False
    return effort.duration_ms < median(pace.durations_ms)
