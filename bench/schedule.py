"""Half a year of studying on paper: how even the days are, and how much is recalled.

The learner's memory is the scheduler's own model, so recall differs from the target only by what
fuzz and balancing do to the intervals. Ratings are as often as py-fsrs's optimizer assumes.
"""

from __future__ import annotations

import random
from collections import Counter
from statistics import median

from bench.data import Data
from bench.figures import Figure, count_rounds
from quizapp.domain.forecast import FIRST_RATINGS, RECALLED_RATINGS
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import Load, Memory, Parameters, preview, retrievability, review

DAYS = 180
NEW = 10
"""New questions per day, the default; there are always some left."""

WINDOW = 7
"""Days on either side of a day in its centered mean."""

PEAK_LIMIT = 1.3
RECALL_LIMIT = 2.0


def measure(_data: Data | None, repeat: int = 5) -> list[Figure]:
    """The daily peak, and the realized recall of intervals of two days and more."""
    runs = [simulate(seed) for seed in count_rounds(repeat)]
    unbalanced = [simulate(seed, balanced=False) for seed in range(repeat)]
    peaks = [peak for peak, _ in runs]
    before = [peak for peak, _ in unbalanced]
    misses = [100 * abs(recall - Parameters().retention) for _, recall in runs]
    return [
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


def simulate(seed: int, *, balanced: bool = True) -> tuple[float, float]:
    """The highest ratio of a day's reviews to their mean, and the share of reviews recalled."""
    chance, parameters = random.Random(seed), Parameters()
    memories: dict[str, Memory] = {}
    due: Counter[int] = Counter()
    reviews: list[int] = []
    recalled: list[bool] = []

    def answer(question: str, rating: Rating, day: int) -> None:
        memory = memories.get(question)
        if memory is not None:
            due[memory.due_day] -= 1
        load = Load(due) if balanced else None
        chosen = day + preview(question, memory, day, parameters, load)[rating]
        memories[question] = review(question, memory, rating, day, parameters, chosen=chosen)
        due[memories[question].due_day] += 1

    for day in range(DAYS):
        today = [(name, memory) for name, memory in memories.items() if memory.due_day <= day]
        reviews.append(len(today))
        for name, memory in today:
            right = chance.random() < retrievability(memory, day, parameters)
            if day - memory.last_day >= 2:
                recalled.append(right)
            kinds = (Rating.HARD, Rating.GOOD, Rating.EASY)
            answer(name, chance.choices(kinds, RECALLED_RATINGS)[0] if right else Rating.AGAIN, day)
        for _ in range(NEW):
            answer(f"q{len(memories)}", chance.choices(tuple(Rating), FIRST_RATINGS)[0], day)
    return _peak(reviews), sum(recalled) / len(recalled)


def _peak(reviews: list[int]) -> float:
    """The highest ratio of a day to the mean around it, of days whose window is whole."""
    width = 2 * WINDOW + 1
    means = [sum(reviews[first : first + width]) / width for first in range(DAYS - width + 1)]
    middles = reviews[WINDOW : DAYS - WINDOW]
    return max(count / mean for count, mean in zip(middles, means, strict=True))
