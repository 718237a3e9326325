"""Half a year of studying on paper: how even the days are, and how much is recalled.

The learner's memory is the scheduler's own model, so recall differs from the target only by what
fuzz and balancing do to the intervals. Ratings are as often as py-fsrs's optimizer assumes.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import islice
from statistics import mean, median
from typing import TypeAlias

import numpy as np

from bench.data import Data
from bench.figures import Figure, count_rounds
from bench.plan_learners import shipped
from quizapp.domain.fsrs6 import build_model
from quizapp.domain.log.projection import Card
from quizapp.domain.planning.forecast import FIRST_RATINGS, RECALLED_RATINGS
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import (
    CardMemory,
    Load,
    Parameters,
    fuzz_bounds,
    preview,
    retrievability,
    review,
)
from quizapp.domain.workload import RECENT_DAYS, find_usual, leave_for_later
from quizapp.study.scheduling.pace import MINUTES

DAYS = 180
NEW = 10
"""New questions per day, the default; there are always some left."""

WINDOW = 7
"""Days on either side of a day in its centered mean."""

YEAR = range(180, 365)
"""Days on which the shipped questions, all met by then, are only reviewed."""

SHORTEST = 2
"""Days of the shortest interval whose recall counts."""

Window: TypeAlias = tuple[int, int, float]
"""The first and the last day on which a review may come, and its minutes."""

MINUTES_LIMIT = 1.5
PEAK_LIMIT = 1.3
RECALL_LIMIT = 2.0


def measure(_data: Data | None, repeat: int = 5) -> list[Figure]:
    """The daily peak, and the realized recall of intervals of two days and more."""
    runs = [simulate(seed) for seed in count_rounds(repeat)]
    unbalanced = [simulate(seed, balanced=False) for seed in range(repeat)]
    peaks = [peak for peak, _ in runs]
    before = [peak for peak, _ in unbalanced]
    misses = [100 * abs(recall - Parameters().retention) for _, recall in runs]
    years = [measure_year(seed, MINUTES) for seed in range(repeat)]
    by_minutes, bounds, recall = zip(*years, strict=True)
    at_once = [measure_year(seed, MINUTES, waits=False)[0] for seed in range(repeat)]
    counts = dict.fromkeys(MINUTES, 1.0)
    by_count = [measure_year(seed, counts, waits=False)[0] for seed in range(repeat)]
    return [
        Figure(
            "schedule",
            f"minutes of the longest day to the mean, days {YEAR.start} to {YEAR.stop}",
            median(by_minutes),
            MINUTES_LIMIT,
            "×",
            f"median of {repeat} seeds, worst {max(by_minutes):.2f}, {100 * mean(recall):.1f}% "
            f"recalled; if all were known beforehand at least {median(bounds):.2f}; "
            f"if nothing waits {median(at_once):.2f}, worst {max(at_once):.2f}; "
            f"balanced by the number of reviews {median(by_count):.2f}, worst {max(by_count):.2f}",
        ),
        Figure(
            "schedule",
            f"daily peak to the centered {2 * WINDOW + 1}-day mean, {DAYS} days",
            median(peaks),
            PEAK_LIMIT,
            "×",
            f"median of {repeat} seeds, worst {max(peaks):.2f}; "
            f"without balancing {median(before):.2f}, worst {max(before):.2f}",
        ),
        Figure(
            "schedule",
            "points between realized recall and its target, intervals of 2 days and more",
            median(misses),
            RECALL_LIMIT,
            "%",
            f"median of {repeat} seeds, worst {max(misses):.2f}",
        ),
    ]


class _Paper:
    """The memories of somebody, and the minutes of what is due by day."""

    def __init__(self, seed: int, *, balanced: bool = True) -> None:
        self.chance, self.parameters = random.Random(seed), Parameters()
        self.memories: dict[str, CardMemory] = {}
        self.due: defaultdict[int, float] = defaultdict(float)
        self._balanced = balanced

    def review(self, question: str, day: int, minutes: float = 1.0) -> bool:
        """Answer a question that is due; return True if it was recalled."""
        right = self.chance.random() < retrievability(self.memories[question], day, self.parameters)
        kinds = (Rating.HARD, Rating.GOOD, Rating.EASY)
        drawn = self.chance.choices(kinds, RECALLED_RATINGS)[0]
        self._answer(question, drawn if right else Rating.AGAIN, day, minutes)
        return right

    def meet(self, question: str, day: int, minutes: float = 1.0) -> None:
        """Answer a new question."""
        drawn = self.chance.choices(tuple(Rating), FIRST_RATINGS)[0]
        self._answer(question, drawn, day, minutes)

    def _answer(self, question: str, rating: Rating, day: int, minutes: float) -> None:
        memory = self.memories.get(question)
        if memory is not None:
            self.due[memory.due_day] -= minutes
        load = Load(self.due) if self._balanced else None
        chosen = day + preview(question, memory, day, self.parameters, load)[rating]
        after = review(question, memory, rating, day, self.parameters, chosen=chosen)
        self.memories[question] = after
        self.due[after.due_day] += minutes


def measure_year(
    seed: int, weights: Mapping[str, float], *, waits: bool = True
) -> tuple[float, float, float]:
    """Study the shipped questions; return the longest day's minutes to the mean of `YEAR`.

    Also what that is at least, and the share of reviews recalled.

    `weights`: what a question of each kind counts as where days are balanced. `waits`: reviews wait
    within their fuzz where a day has too many.
    """
    paper, spent = _Paper(seed), [0.0] * YEAR.stop
    questions = {candidate.question: candidate.kind for candidate in shipped().candidates}
    new = iter(questions.items())
    windows: list[Window] = []
    recalled: list[bool] = []

    def weigh(name: str) -> float:
        return weights[questions[name]]

    for day in range(YEAR.stop):
        later: frozenset[str] = frozenset()
        recent = [(d, spent[d]) for d in range(max(0, day - RECENT_DAYS), day)]
        if waits and (usual := find_usual(recent)):
            cards = (Card(name, memory) for name, memory in paper.memories.items())
            later = leave_for_later(cards, day, usual, weigh, parameters=paper.parameters)
        due = [n for n, memory in paper.memories.items() if memory.due_day <= day]
        for name in due:
            if name in later:
                continue
            memory, minutes = paper.memories[name], MINUTES[questions[name]]
            spent[day] += minutes
            windows.append((*_window(memory, paper.parameters), minutes))
            right = paper.review(name, day, weigh(name))
            if day - memory.last_day >= SHORTEST:
                recalled.append(right)
        for name, kind in islice(new, NEW):
            paper.meet(name, day, weights[kind])
    usual_day = mean(spent[YEAR.start :])
    return max(spent[YEAR.start :]) / usual_day, _bound(windows) / usual_day, mean(recalled)


def _window(memory: CardMemory, parameters: Parameters) -> tuple[int, int]:
    """Return the first and the last day on which the fuzz lets a card return."""
    model = build_model(parameters.weights)
    days = model.interval(memory.stability, parameters.retention, parameters.maximum_days)
    low, high = fuzz_bounds(days, parameters.maximum_days)
    return memory.last_day + low, memory.last_day + high


def _bound(windows: Iterable[Window]) -> float:
    """Return the minutes of the longest day if all of `YEAR` were known beforehand, at least.

    What may only be done within some days takes these days' minutes: the largest mean of any.
    """
    days = len(YEAR)
    within = np.zeros((days, days))
    for first, last, minutes in windows:
        if first in YEAR and last in YEAR:
            within[first - YEAR.start, last - YEAR.start] += minutes
    sums = within[::-1].cumsum(axis=0)[::-1].cumsum(axis=1)
    return max(
        float(sums[first, last]) / (last - first + 1)
        for first in range(days)
        for last in range(first, days)
    )


def simulate(seed: int, *, balanced: bool = True) -> tuple[float, float]:
    """The highest ratio of a day's reviews to their mean, and the share of reviews recalled."""
    paper = _Paper(seed, balanced=balanced)
    reviews: list[int] = []
    recalled: list[bool] = []
    for day in range(DAYS):
        today = [(n, memory) for n, memory in paper.memories.items() if memory.due_day <= day]
        reviews.append(len(today))
        for name, memory in today:
            right = paper.review(name, day)
            if day - memory.last_day >= SHORTEST:
                recalled.append(right)
        for _ in range(NEW):
            paper.meet(f"q{len(paper.memories)}", day)
    return _peak(reviews), sum(recalled) / len(recalled)


def _peak(reviews: list[int]) -> float:
    """The highest ratio of a day to the mean around it, of days whose window is whole."""
    width = 2 * WINDOW + 1
    means = [sum(reviews[first : first + width]) / width for first in range(DAYS - width + 1)]
    middles = reviews[WINDOW : DAYS - WINDOW]
    return max(count / mean for count, mean in zip(middles, means, strict=True))
