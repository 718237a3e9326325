"""Simulated learners whose memory is not the scheduler's, which schedules and predicts for them.

Each of a learner's weights is the scheduler's times a factor of its own between 0.7 and 1.3.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from fsrs.scheduler import LOWER_BOUNDS_PARAMETERS, UPPER_BOUNDS_PARAMETERS

from quizapp.domain.planning import memory_arrays as memory
from quizapp.domain.planning.calibration import Reviews
from quizapp.domain.planning.forecast import FIRST_RATINGS, RECALLED_RATINGS
from quizapp.domain.planning.memory_arrays import Floats, Ints
from quizapp.domain.schedule import Parameters

_FACTORS = 0.7, 1.3
_RETENTION, _MOST_DAYS = 0.9, 365


class Cards:
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


class Learner:
    """A learner with what the scheduler knows of them: `own` are its cards, `real` the learner's.

    Of each card: the day of its last answer, the day it is due, how often it was answered, and
    how often forgotten.
    """

    def __init__(self, seed: int) -> None:
        self._chance = np.random.default_rng(seed)
        own = Parameters().weights
        factors = self._chance.uniform(*_FACTORS, len(own))
        bounds = LOWER_BOUNDS_PARAMETERS, UPPER_BOUNDS_PARAMETERS
        self.real, self.own = Cards(np.clip(np.array(own) * factors, *bounds)), Cards(own)
        self.last: Ints = np.empty(0, np.int64)
        self.due, self.repetitions, self.lapses = (self.last.copy() for _ in range(3))

    def reviews(self, at: Ints, day: int) -> Reviews:
        """Return what the scheduler knows of reviews on a day, before they are answered."""
        elapsed = day - self.last[at]
        predicted = memory.recall(self.own.weights, elapsed, self.own.stability[at])
        return Reviews(predicted, elapsed, self.repetitions[at], self.lapses[at])

    def recall(self, at: Ints, day: int) -> Floats:
        """Return the learner's real chances of recall."""
        return memory.recall(self.real.weights, day - self.last[at], self.real.stability[at])

    def review(self, at: Ints, day: int) -> Floats:
        """Answer the cards at these places; return 1 for each that was recalled."""
        right = self._chance.random(len(at)) < self.recall(at, day)
        chosen = self._chance.choice((2, 3, 4), len(at), p=RECALLED_RATINGS)
        ratings = np.where(right, chosen, 1)
        elapsed = day - self.last[at]
        for cards in (self.real, self.own):
            cards.advance(at, elapsed, ratings)
        self.last[at] = day
        self.lapses[at] += ~right
        self.repetitions[at] += 1
        self.due[at] = day + self._intervals(at)
        return right.astype(float)

    def learn(self, number: int, day: int) -> None:
        """Meet new cards."""
        first = self._chance.choice((1, 2, 3, 4), number, p=FIRST_RATINGS)
        for cards in (self.real, self.own):
            cards.begin(first)
        self.last = np.append(self.last, np.full(number, day))
        self.lapses = np.append(self.lapses, [0] * number)
        self.repetitions = np.append(self.repetitions, [1] * number)
        new = np.arange(len(self.due), len(self.due) + number)
        self.due = np.append(self.due, day + self._intervals(new))

    def _intervals(self, at: Ints) -> Ints:
        stability = self.own.stability[at]
        return memory.interval(self.own.weights, stability, _RETENTION, _MOST_DAYS)
