"""What answers come to, summed: of a study day, or of a question.

Values only. Sums of days and sums of questions have one form and can be added, so a week, a year or
a topic is a sum of these. Practice is in none of them. The store keeps them beside the log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter

from quizapp.domain.log.answer_fields import AnswerFields
from quizapp.domain.log.events import Answered, Body, LogEntry, Tried
from quizapp.domain.log.projection import standing_events
from quizapp.domain.rating import Confidence

MATURE_DAYS = 21
"""A review is mature if the question was scheduled at least this many days ahead (as in Anki)."""


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over answers that were not undone.

    A *counted* answer is a day's first attempt at a question, the one that moved its schedule; the
    others are repeats. A *review* is a counted answer to a question that was seen before, and it is
    *recalled* if it was not rated Again.

    Attributes:
        answers: all of them, repeats included.
        new: counted answers to questions never seen before.
        right: counted answers that were correct.
        young, young_recalled: reviews scheduled less than `MATURE_DAYS` ahead.
        mature, mature_recalled: reviews scheduled `MATURE_DAYS` or more ahead.
        duration_ms: time spent on all answers.
        guess … certain_right: counted answers by how sure the person said to be, and the correct
            ones among them; `calibration` has them by confidence.
    """

    answers: int = 0
    new: int = 0
    right: int = 0
    young: int = 0
    young_recalled: int = 0
    mature: int = 0
    mature_recalled: int = 0
    duration_ms: int = 0
    guess: int = 0
    guess_right: int = 0
    fairly: int = 0
    fairly_right: int = 0
    certain: int = 0
    certain_right: int = 0

    @property
    def reviews(self) -> int:
        """Counted answers to questions that were seen before."""
        return self.young + self.mature

    @property
    def recalled(self) -> int:
        """Reviews that were not rated Again."""
        return self.young_recalled + self.mature_recalled

    @property
    def lapses(self) -> int:
        """Reviews that were rated Again."""
        return self.reviews - self.recalled

    @property
    def counted(self) -> int:
        """The first attempts of a day, new or review."""
        return self.new + self.reviews

    @property
    def repeats(self) -> int:
        """Further attempts within a day."""
        return self.answers - self.counted

    @property
    def calibration(self) -> dict[Confidence, tuple[int, int]]:
        """Counted answers by confidence, and how many of them were correct."""
        return {
            Confidence.GUESS: (self.guess, self.guess_right),
            Confidence.FAIRLY: (self.fairly, self.fairly_right),
            Confidence.CERTAIN: (self.certain, self.certain_right),
        }


_read = attrgetter(*(each.name for each in fields(Totals)))


def add_up(found: Iterable[Totals]) -> Totals:
    """Return the sum of these; zeros if there are none."""
    rows = [_read(each) for each in found]
    return Totals(*map(sum, zip(*rows, strict=True)))


@dataclass(frozen=True, slots=True)
class RubricTotals:
    """How often the points of one question's rubric were covered.

    `rev`: the revision that was answered, since a later one may have other points. `answers`: how
    many there were. `covered`: by position in the rubric; a position without any is absent.
    """

    question: str
    rev: int
    answers: int
    covered: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CheckTotals:
    """How many submissions to one question failed at a check; `check` is the check's key."""

    question: str
    rev: int
    check: str
    failed: int


RUBRIC, CHECK = "rubric", "check"
"""What a `Part` is of."""

RECALL = "recall"
"""The kind of question that has a rubric."""

Part = tuple[int, str, str]
"""Revision, `RUBRIC` or `CHECK`, and which: a position in the rubric, a check's key, or "", which
is the answer as a whole."""


def count_parts(events: Iterable[LogEntry]) -> Counter[Part]:
    """Count covered rubric points and failed checks in one question's events, in log order."""
    return Counter(part for event in standing_events(events) for part in list_parts(event.body))


def list_parts(body: Body) -> Sequence[Part]:
    """List the covered rubric points or the failed check that one event has."""
    if isinstance(body, Answered):
        return list_answer_parts(body)
    if isinstance(body, Tried) and body.counts and not body.practice:
        return [(body.rev, CHECK, body.gate)]
    return ()


def list_answer_parts(answer: AnswerFields) -> Sequence[Part]:
    """List the covered rubric points of an answer; there are none but to a question of `RECALL`."""
    if answer.kind != RECALL or answer.practice:
        return ()
    return [(answer.rev, RUBRIC, point) for point in ("", *_covered(answer))]


def _covered(answer: AnswerFields) -> list[str]:
    """Read the rubric points of an interview answer: the last line of its response, if numbers."""
    points = answer.response.rpartition("\n")[2].split()
    known = all(point.isascii() and point.isdigit() for point in points)
    return list(dict.fromkeys(points)) if known and not answer.gave_up else []
