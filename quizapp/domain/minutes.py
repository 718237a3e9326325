"""What a day asks when its minutes are bounded: reviews and new questions share them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import ceil

from quizapp.domain.order import Candidate

ANSWERS_PER_LAPSE = 1.2
"""Answers more that a wrong one takes: it is asked again until it is right."""

REVIEW_ANSWERS, NEW_ANSWERS = 1 + 0.15 * ANSWERS_PER_LAPSE, 1 + 0.24 * ANSWERS_PER_LAPSE
"""Answers that a review, and a new question, takes in the mean."""

REPEAT_ANSWERS = ANSWERS_PER_LAPSE
"""Answers that a question takes that was answered wrong before and returns."""

NEW_SHARE = 0.5
"""The share of a day's minutes that new questions get while reviews wait too."""


EASY_SHARE = 0.5
"""The share of a plan's minutes that an easy day has."""


@dataclass(frozen=True, slots=True)
class DayMinutes:
    """The minutes of a day.

    Attributes:
        minutes: of the whole day.
        each: how many minutes an answer to a question takes.
        new_share: the share of new questions while reviews wait too.
        spent: minutes used up so far on reviews and on new questions, repeats included, and those
            that what returns today will take.
    """

    minutes: float
    each: Callable[[str], float]
    new_share: float = NEW_SHARE
    spent: tuple[float, float] = (0.0, 0.0)


def fill(
    reviews: Iterable[Candidate], new: Iterable[Candidate], day: DayMinutes
) -> tuple[list[Candidate], list[Candidate]]:
    """Take reviews and new questions, each in its order, until the minutes are used up.

    Their shares are those of the whole day, however many sessions it has.

    The last one may exceed them by half of its time; the first one of a day fits always, since a
    kernel would never come otherwise.
    """
    taken: tuple[list[Candidate], list[Candidate]] = ([], [])
    shares, answers = (1 - day.new_share, day.new_share), (REVIEW_ANSWERS, NEW_ANSWERS)
    waiting = [iter(reviews), iter(new)]
    heads = [next(each, None) for each in waiting]
    spent = [*day.spent]
    while any(head is not None for head in heads):
        sides = [side for side in (0, 1) if heads[side] is not None]
        side = min(sides, key=lambda side: spent[side] / shares[side])
        head = heads[side]
        assert head is not None
        minutes = day.each(head.question)
        if sum(spent) + minutes / 2 > day.minutes and any(spent):
            break
        taken[side].append(head)
        spent[side] += minutes * answers[side]
        heads[side] = next(waiting[side], None)
    return taken


def whole_minutes(minutes: float) -> int:
    """Round minutes up, to five from half an hour on: more digits would be noise."""
    step = 1 if minutes < 30 else 5
    return ceil(minutes / step) * step
