"""Half a year of studying on paper: how even the days are, and how much is recalled.

The learner's memory is the scheduler's own model, so recall differs from the target only by what
fuzz and balancing do to the intervals. Ratings are as often as py-fsrs's optimizer assumes.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping
from itertools import islice
from statistics import mean, median

from bench.data import Data
from bench.figures import Figure, count_rounds
from bench.plan_learners import shipped
from quizapp.domain.forecast import FIRST_RATINGS, RECALLED_RATINGS
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import Load, Memory, Parameters, preview, retrievability, review
from quizapp.study.pace import MINUTES

DAYS = 180
NEW = 10
"""New questions per day, the default; there are always some left."""

WINDOW = 7
"""Days on either side of a day in its centered mean."""

YEAR = range(180, 365)
"""Days on which the shipped questions, all met by then, are only reviewed."""

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
    by_minutes = [measure_year(seed, MINUTES) for seed in range(repeat)]
    by_count = [measure_year(seed, dict.fromkeys(MINUTES, 1.0)) for seed in range(repeat)]
    return [
        Figure(
            "schedule",
            f"minutes of the longest day to the mean, days {YEAR.start} to {YEAR.stop}",
            median(by_minutes),
            MINUTES_LIMIT,
            "×",
            f"median of {repeat} seeds, worst {max(by_minutes):.2f}; "
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
        self.memories: dict[str, Memory] = {}
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


def measure_year(seed: int, weights: Mapping[str, float]) -> float:
    """Study the shipped questions; return the longest day's minutes to the mean of `YEAR`.

    `weights`: what a question of each kind counts as where days are balanced.
    """
    paper, spent = _Paper(seed), [0.0] * YEAR.stop
    questions = {candidate.question: candidate.kind for candidate in shipped().candidates}
    new = iter(questions.items())
    for day in range(YEAR.stop):
        for name in [n for n, memory in paper.memories.items() if memory.due_day <= day]:
            paper.review(name, day, weights[questions[name]])
            spent[day] += MINUTES[questions[name]]
        for name, kind in islice(new, NEW):
            paper.meet(name, day, weights[kind])
    return max(spent[YEAR.start :]) / mean(spent[YEAR.start :])


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
            if day - memory.last_day >= 2:
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
