"""FSRS-6 on arrays of cards, for forecasts that simulate thousands of reviews. Loads NumPy.

The same mathematics as `schedule`, which has it from py-fsrs; a test holds the two equal. Only for
days without a second review of the same card.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_LEAST_STABILITY = 0.001
AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4


def recall(weights: Sequence[float], elapsed: Ints, stability: Floats) -> Floats:
    """Return the chance of recall, 0–1, so many days after the last review."""
    decay = -weights[20]
    factor = 0.9 ** (1 / decay) - 1
    return np.asarray((1 + factor * elapsed / stability) ** decay)


def interval(
    weights: Sequence[float], stability: Floats, retention: Floats | float, maximum: int
) -> Ints:
    """Return the days until the chance of recall is `retention`, before any fuzz."""
    decay = -weights[20]
    factor = 0.9 ** (1 / decay) - 1
    days = stability / factor * (retention ** (1 / decay) - 1)
    return np.asarray(np.clip(np.round(days), 1, maximum), np.int64)


def begin(weights: Sequence[float], rating: Ints) -> tuple[Floats, Floats]:
    """Return stability and difficulty after a first answer."""
    stability = np.maximum(np.asarray(weights)[rating - 1], _LEAST_STABILITY)
    return stability, np.clip(_initial_difficulty(weights, rating), 1.0, 10.0)


def advance(
    weights: Sequence[float], stability: Floats, difficulty: Floats, elapsed: Ints, rating: Ints
) -> tuple[Floats, Floats]:
    """Return stability and difficulty after a review, `elapsed` ≥ 1 days after the one before."""
    w = weights
    missing = 1 - recall(w, elapsed, stability)
    forgotten = np.minimum(
        w[11] * difficulty ** -w[12] * ((stability + 1) ** w[13] - 1) * np.exp(missing * w[14]),
        stability / np.exp(w[17] * w[18]),
    )
    bonus = np.where(rating == HARD, w[15], np.where(rating == EASY, w[16], 1.0))
    growth = np.exp(w[8]) * (11 - difficulty) * stability ** -w[9] * np.expm1(missing * w[10])
    after = np.where(rating == AGAIN, forgotten, stability * (1 + growth * bonus))
    moved = difficulty + (10.0 - difficulty) * -(w[6] * (rating - 3)) / 9.0
    target = _initial_difficulty(w, np.int64(EASY))
    mixed = w[7] * target + (1 - w[7]) * moved
    return np.maximum(after, _LEAST_STABILITY), np.clip(mixed, 1.0, 10.0)


def _initial_difficulty(weights: Sequence[float], rating: Ints | np.int64) -> Floats:
    return np.asarray(weights[4] - np.exp(weights[5] * (rating - 1)) + 1)
