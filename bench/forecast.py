"""The forecast against learners whose memory is not the scheduler's.

The learners (`learners`) study for 90 days by the schedule. Every review is predicted on its day
from the reviews before that day alone; the error is RMSE in bins, as open-spaced-repetition's
srs-benchmark defines them: of days elapsed, number of the review, and lapses.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

import numpy as np

from bench.data import Data
from bench.figures import Figure, count_rounds
from bench.learners import Learner
from quizapp.domain.planning.calibration import PRIOR_SD, Reviews, calibrate
from quizapp.domain.planning.memory_arrays import Floats, Ints

DAYS = 90
NEW = 10
SEEDS = 20
LIMIT = 0.065
_NAMES = "level", "spread", "days elapsed", "repetitions", "lapses"


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
        ),
        _compare_with_prior([run[3] for run in runs]),
    ]


def _compare_with_prior(coefficients: list[Floats]) -> Figure:
    """How far learners are from the scheduler, beside what is supposed before anything is known."""
    spread = np.sqrt(np.mean(np.square(coefficients), axis=0))
    each = (
        f"{name} {sd:.2f} of {prior:.2f}"
        for name, sd, prior in zip(_NAMES, spread, PRIOR_SD, strict=True)
    )
    what = f"how far {len(coefficients)} learners are from the scheduler, to what is supposed"
    return Figure("forecast", what, float(max(spread / PRIOR_SD)), 1.0, "×", "; ".join(each))


def simulate(seed: int) -> tuple[float, float, int, Floats]:
    """RMSE in bins of the forecast and of the scheduler alone, reviews, and the coefficients."""
    learner, log = Learner(seed), Log([], [], [])
    for day in range(DAYS):
        today = np.flatnonzero(learner.due <= day)
        if len(today):
            seen = learner.reviews(today, day)
            known = calibrate(*log.joined()) if log.reviews else None
            log.reviews.append(seen)
            log.calibrated.append(seen.predicted if known is None else known.apply(seen))
            log.recalled.append(learner.review(today, day))
        learner.learn(NEW, day)
    reviews, recalled = log.joined()
    calibrated = np.concatenate(log.calibrated)
    return (
        rmse_bins(reviews, recalled, calibrated),
        rmse_bins(reviews, recalled, reviews.predicted),
        len(recalled),
        calibrate(reviews, recalled).mean,
    )


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
