"""The forecast against learners whose memory is not the scheduler's.

Each of the learner's weights is the scheduler's times a factor of its own between 0.7 and 1.3. They
study for 90 days by the schedule. Every review is predicted on its day from the reviews before that
day alone; the error is RMSE in bins, as open-spaced-repetition's srs-benchmark defines them: of
days elapsed, number of the review, and lapses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from fsrs.scheduler import LOWER_BOUNDS_PARAMETERS, UPPER_BOUNDS_PARAMETERS

from bench.data import Data
from bench.figures import Figure, count_rounds
from quizapp.domain import memory_arrays as memory
from quizapp.domain.calibration import Calibration, Reviews, calibrate
from quizapp.domain.forecast import FIRST_RATINGS, RECALLED_RATINGS
from quizapp.domain.memory_arrays import Floats, Ints
from quizapp.domain.schedule import Parameters

DAYS = 90
NEW = 10
SEEDS = 20
LIMIT = 0.065
_FACTORS = 0.7, 1.3


@dataclass
class Log:
    """The reviews so far, each with its outcome and two predictions."""

    reviews: list[Reviews]
    recalled: list[Floats]
    calibrated: list[Floats]

    def joined(self) -> tuple[Reviews, Floats]:
        """All reviews and their outcomes."""
        reviews = Reviews(
            np.concatenate([r.predicted for r in self.reviews]),
            np.concatenate([r.elapsed for r in self.reviews]),
            np.concatenate([r.repetitions for r in self.reviews]),
            np.concatenate([r.lapses for r in self.reviews]),
        )
        return reviews, np.concatenate(self.recalled)


def measure(_data: Data | None, repeat: int = SEEDS) -> list[Figure]:
    """The median error over the seeds, with and without what the person's log teaches."""
    runs = [simulate(seed) for seed in count_rounds(repeat)]
    calibrated, plain = [run[0] for run in runs], [run[1] for run in runs]
    return [
        Figure(
            "forecast",
            f"RMSE in bins of predicted recall, {DAYS} days, median of {repeat} learners",
            100 * median(calibrated),
            100 * LIMIT,
            "%",
            f"worst {100 * max(calibrated):.1f}; by the scheduler's own weights "
            f"{100 * median(plain):.1f}, worst {100 * max(plain):.1f}; "
            f"{median(run[2] for run in runs):.0f} reviews each",
        )
    ]


def simulate(seed: int) -> tuple[float, float, int]:
    """RMSE in bins of the forecast and of the scheduler alone, and the number of reviews."""
    chance = np.random.default_rng(seed)
    own = Parameters().weights
    truth = np.clip(
        np.array(own) * chance.uniform(*_FACTORS, len(own)),
        LOWER_BOUNDS_PARAMETERS,
        UPPER_BOUNDS_PARAMETERS,
    )
    learner, scheduler = _Cards(truth), _Cards(own)
    last: Ints = np.empty(0, np.int64)
    due, lapses, repetitions = last.copy(), last.copy(), last.copy()
    log = Log([], [], [])
    known: Calibration | None = None
    for day in range(DAYS):
        today = np.flatnonzero(due <= day)
        if len(today):
            elapsed = day - last[today]
            predicted = memory.recall(own, elapsed, scheduler.stability[today])
            seen = Reviews(predicted, elapsed, repetitions[today], lapses[today])
            real = memory.recall(truth, elapsed, learner.stability[today])
            right = chance.random(len(today)) < real
            known = calibrate(*log.joined()) if log.reviews else None
            log.reviews.append(seen)
            log.recalled.append(right.astype(float))
            log.calibrated.append(predicted if known is None else known.apply(seen))
            ratings = np.where(right, chance.choice((2, 3, 4), len(today), p=RECALLED_RATINGS), 1)
            for cards in (learner, scheduler):
                cards.advance(today, elapsed, ratings)
            last[today] = day
            lapses[today] += ~right
            repetitions[today] += 1
            due[today] = day + memory.interval(own, scheduler.stability[today], 0.9, 365)
        first = chance.choice((1, 2, 3, 4), NEW, p=FIRST_RATINGS)
        for cards in (learner, scheduler):
            cards.begin(first)
        last = np.append(last, np.full(NEW, day))
        lapses, repetitions = np.append(lapses, [0] * NEW), np.append(repetitions, [1] * NEW)
        due = np.append(due, day + memory.interval(own, scheduler.stability[-NEW:], 0.9, 365))
    reviews, recalled = log.joined()
    calibrated = np.concatenate(log.calibrated)
    return (
        rmse_bins(reviews, recalled, calibrated),
        rmse_bins(reviews, recalled, reviews.predicted),
        len(recalled),
    )


class _Cards:
    """Memories of one learner, under some weights."""

    def __init__(self, weights: Sequence[float] | Floats) -> None:
        self.weights = tuple(weights)
        self.stability = np.empty(0)
        self.difficulty = np.empty(0)

    def begin(self, ratings: Ints) -> None:
        """Learn new cards."""
        stability, difficulty = memory.begin(self.weights, ratings)
        self.stability = np.append(self.stability, stability)
        self.difficulty = np.append(self.difficulty, difficulty)

    def advance(self, at: Ints, elapsed: Ints, ratings: Ints) -> None:
        """Review the cards at these places."""
        before = self.stability[at], self.difficulty[at]
        after = memory.advance(self.weights, *before, elapsed, ratings)
        self.stability[at], self.difficulty[at] = after


def rmse_bins(reviews: Reviews, recalled: Floats, predicted: Floats) -> float:
    """The root of the mean squared difference of the bins' means, weighted by their reviews."""
    bins = np.stack(
        [
            _bin(reviews.elapsed, 3.62),
            _bin(reviews.repetitions + 1, 1.89),
            np.where(reviews.lapses == 0, -1, _bin(np.maximum(reviews.lapses, 1), 1.73)),
        ]
    )
    _, at = np.unique(bins, axis=1, return_inverse=True)
    counts = np.bincount(at.ravel())
    sums = np.bincount(at.ravel(), recalled - predicted)
    return float(np.sqrt(np.sum(sums**2 / counts) / counts.sum()))


def _bin(values: Ints, base: float) -> Floats:
    """The power of `base` below each value; the benchmark names the bins by multiples of it."""
    return np.asarray(np.floor(np.log(values) / np.log(base)))
