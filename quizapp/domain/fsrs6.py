"""The formulas of FSRS 6 on whole days, as numbers in and numbers out.

They are py-fsrs's, term by term, so that the results are the same to the last bit; a test compares
the two. py-fsrs itself copies a card and computes with datetimes at each step, which takes ten
times as long: a replay of 1,000,000 answers would spend most of its time there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_LEAST_STABILITY = 0.001
_DIFFICULTIES = (1.0, 10.0)
_AGAIN, _HARD, _EASY = 1, 2, 4
_RATINGS = range(_AGAIN, _EASY + 1)


@dataclass(frozen=True, slots=True)
class Model:
    """FSRS with its weights, and what follows from them alone."""

    weights: tuple[float, ...]
    decay: float
    factor: float
    first: tuple[tuple[float, float], ...]
    growth: float
    shrinkage: float
    easy: float

    def begin(self, rating: int) -> tuple[float, float]:
        """Return stability and difficulty after a first answer."""
        return self.first[rating - 1]

    def retrievability(self, stability: float, days: int) -> float:
        """Return the probability of recall so many days after an answer."""
        return float((1 + self.factor * days / stability) ** self.decay)

    def step(
        self, stability: float, difficulty: float, days: int, rating: int
    ) -> tuple[float, float]:
        """Return stability and difficulty after an answer so many days after the one before."""
        if days < 1:
            after = self._within_a_day(stability, rating)
        else:
            recall = (1 + self.factor * days / stability) ** self.decay
            forgot = rating == _AGAIN
            change = self._after_lapse if forgot else self._after_recall
            after = change(stability, difficulty, recall, rating)
        return max(after, _LEAST_STABILITY), self._next_difficulty(difficulty, rating)

    def interval(self, stability: float, retention: float, maximum: int) -> int:
        """Return the days until the probability of recall falls to `retention`."""
        exact = float((stability / self.factor) * (retention ** (1 / self.decay) - 1))
        days = round(exact)
        return min(max(days, 1), maximum)

    def _after_recall(
        self, stability: float, difficulty: float, recall: float, rating: int
    ) -> float:
        weights = self.weights
        grown = (
            self.growth
            * (11 - difficulty)
            * (stability ** -weights[9])
            * ((math.e ** ((1 - recall) * weights[10])) - 1)
            * (weights[15] if rating == _HARD else 1)
            * (weights[16] if rating == _EASY else 1)
        )
        return float(stability * (1 + grown))

    def _after_lapse(
        self, stability: float, difficulty: float, recall: float, _rating: int
    ) -> float:
        weights = self.weights
        shrunk = (
            weights[11]
            * (difficulty ** -weights[12])
            * (((stability + 1) ** (weights[13])) - 1)
            * (math.e ** ((1 - recall) * weights[14]))
        )
        return float(min(shrunk, stability / self.shrinkage))

    def _within_a_day(self, stability: float, rating: int) -> float:
        weights = self.weights
        change = (math.e ** (weights[17] * (rating - 3 + weights[18]))) * (
            stability ** -weights[19]
        )
        return float(stability * (change if rating == _AGAIN else max(change, 1.0)))

    def _next_difficulty(self, difficulty: float, rating: int) -> float:
        weights = self.weights
        moved = difficulty + (10.0 - difficulty) * -(weights[6] * (rating - 3)) / 9.0
        return _clamp(weights[7] * self.easy + (1 - weights[7]) * moved)


def build_model(weights: Sequence[float]) -> Model:
    """Compute what follows from 21 weights, which py-fsrs finds to be within their bounds."""
    decay = -weights[20]
    difficulty = [weights[4] - (math.e ** (weights[5] * (r - 1))) + 1 for r in _RATINGS]
    stability = [max(weights[rating - 1], _LEAST_STABILITY) for rating in _RATINGS]
    return Model(
        weights=tuple(weights),
        decay=decay,
        factor=0.9 ** (1 / decay) - 1,
        first=tuple(zip(stability, map(_clamp, difficulty), strict=True)),
        growth=math.e ** (weights[8]),
        shrinkage=math.e ** (weights[17] * weights[18]),
        easy=difficulty[_EASY - 1],
    )


def _clamp(difficulty: float) -> float:
    least, most = _DIFFICULTIES
    return min(max(difficulty, least), most)
