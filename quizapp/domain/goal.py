"""What a person prepares for: a day, the topics, the minutes per day; and what fits in. Pure.

The schedule itself stays as it is: a question that would not return before the day gets one more
due day, in the last fifth of the time. That day derives from the plan, so dropping the plan gives
back the normal one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

from quizapp.domain import plan
from quizapp.domain.order import Candidate
from quizapp.domain.projection import Card
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import Memory, Parameters, review

_REPEATS = 1.15
"""Answers per review: what is forgotten is asked again."""

LATEST_DAYS = 730
"""No later day can be planned for."""

MINUTES, MOST_MINUTES = 30, 600
"""Per day: unless the person says otherwise, and at most."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A plan as the person set it.

    Attributes:
        since: the study day on which it was set.
        day: the day to be ready on; the day before it is the last to study.
        minutes: per day.
        topics: these alone; all of them if empty.
    """

    since: int
    day: int
    minutes: int
    topics: tuple[str, ...] = ()

    @property
    def last_fifth(self) -> range:
        """The days in which everything planned is met once more."""
        length = max(1, ceil((self.day - self.since) / 5))
        return range(self.day - length, self.day)

    def covers(self, candidate: Candidate) -> bool:
        """Return True if the question is on one of its topics."""
        return not self.topics or candidate.topic in self.topics

    def spread(self, candidates: Iterable[Candidate]) -> dict[str, int]:
        """Give each question that is covered a day of the last fifth, siblings different ones."""
        covered = sorted((c.concept, c.question) for c in candidates if self.covers(c))
        days = self.last_fifth
        return {name: days[place % len(days)] for place, (_, name) in enumerate(covered)}

    def bring_forward(self, last_day: int, due_day: int, last_chance: int | None) -> int:
        """Return the due day of a question, or an earlier one for the last fifth.

        Args:
            last_day: when it was answered last.
            due_day: when the schedule asks it.
            last_chance: from `spread`; None for a question that is not planned.
        """
        met = last_day >= self.last_fifth.start
        if last_chance is None or met or due_day < self.day:
            return due_day
        return max(last_chance, last_day + 1)


@dataclass(frozen=True, slots=True)
class Fit:
    """What of the new questions fits into the time.

    Attributes:
        new: those to learn, in order.
        left_out: those to leave out.
        pace: new questions per day.
        minutes: what everything, with nothing left out, takes per day.
        enough_day: the first day by which nothing is left out at the planned minutes; None where
            nothing is left out, or where two years do not suffice.
    """

    new: tuple[Candidate, ...]
    left_out: tuple[Candidate, ...]
    pace: int
    minutes: int
    enough_day: int | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """What there is to do: new questions in order, cards learned, and minutes per question."""

    new: Sequence[Candidate]
    learned: Sequence[Card]
    minutes: Mapping[str, float]
    parameters: Parameters


def fit(work: Work, goal: Goal, today: int) -> Fit:
    """Find how many of the new questions can be learned and met again in time."""
    days = max(1, goal.day - today)
    known = _minutes_of_learned(work, goal.day)

    def total(number: int) -> float:
        return known + _minutes_of_new(work, number, days, goal)

    # The sum grows with their number, so what fits is found by halving.
    counts = range(1, len(work.new) + 1)
    most = bisect_left(counts, 1, key=lambda n: total(n) > goal.minutes * days)
    pace = 0
    while most > 0 and (pace := _pace(work.new[:most], goal, today)) == 0:
        most = most * 4 // 5  # chains of requirements that the days do not allow
    everything = ceil(total(len(work.new)) / days)
    enough = None
    if most < len(work.new):
        later = range(goal.day + 1, today + LATEST_DAYS)
        at = bisect_left(later, 1, key=lambda day: _fits(work, replace(goal, day=day), today))
        enough = later[at] if at < len(later) else None
    left_out = tuple(work.new[most:])
    return Fit(tuple(work.new[:most]), left_out, pace, everything, enough)


def _fits(work: Work, goal: Goal, today: int) -> bool:
    """Return True if nothing has to be left out."""
    days, number = goal.day - today, len(work.new)
    needed = _minutes_of_learned(work, goal.day) + _minutes_of_new(work, number, days, goal)
    return needed <= goal.minutes * days and _pace(work.new, goal, today) > 0


def _pace(new: Sequence[Candidate], goal: Goal, today: int) -> int:
    """Return the least pace that meets all before the last fifth; 0 if none does."""
    end = max(today + 1, goal.last_fifth.start)
    return plan.plan(new, 1, today, end).enough or 0


def _minutes_of_new(work: Work, number: int, days: int, goal: Goal) -> float:
    """Sum the minutes of learning the first `number` evenly, and of their reviews."""
    returns = _returns(None, 0, days, work.parameters)
    learning = max(1, days - len(goal.last_fifth))
    spent = 0.0
    for place, candidate in enumerate(work.new[:number]):
        left = days - place * learning // number
        reviews = max(1, sum(day < left for day in returns))
        spent += work.minutes[candidate.question] * (1 + _REPEATS * reviews)
    return spent


def _minutes_of_learned(work: Work, end: int) -> float:
    """Sum the minutes of the reviews of what is learned; each comes once more at least."""
    return sum(
        work.minutes[card.question]
        * _REPEATS
        * max(1, len(_returns(card.memory, card.memory.due_day, end, work.parameters)))
        for card in work.learned
        if card.memory is not None
    )


def _returns(memory: Memory | None, first: int, end: int, parameters: Parameters) -> list[int]:
    """List the days before `end` on which a question returns if it is always recalled."""
    found: list[int] = []
    day = first
    if memory is None:
        memory = review("", None, Rating.GOOD, first, parameters)
        day = memory.due_day
    while day < end:
        found.append(day)
        memory = review("", memory, Rating.GOOD, max(day, memory.last_day + 1), parameters)
        day = memory.due_day
    return found
