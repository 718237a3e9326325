"""What will be recalled on the day: the schedule simulated to its end, many times. Loads NumPy.

Each run draws how the person's recall differs from the scheduler's prediction (`calibration`), and
every answer on the way; the spread of the runs is the uncertainty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from quizapp.domain import memory_arrays as arrays
from quizapp.domain.calibration import Calibration, Reviews, calibrate
from quizapp.domain.goal import Goal
from quizapp.domain.memory_arrays import Floats, Ints
from quizapp.domain.projection import AnswerFact, Card
from quizapp.domain.schedule import Memory, Parameters
from quizapp.domain.tuning import gather, replay

FIRST_RATINGS = (0.24, 0.094, 0.495, 0.171)
RECALLED_RATINGS = (0.224, 0.631, 0.145)
"""How often a new question, and one that is recalled, gets each rating (py-fsrs's optimizer)."""

RUNS = 40
_INTERVAL = (0.1, 0.9)


@dataclass(frozen=True, slots=True)
class Recall:
    """The predicted share recalled on the day, and between which it is in eight runs of ten."""

    mean: float
    low: float
    high: float


def learn(facts: Iterable[AnswerFact], parameters: Parameters) -> Calibration:
    """Learn from counted answers, in log order, how the person differs from the prediction."""
    found = replay(gather(facts), parameters.weights)
    reviews = Reviews(found.predicted, found.elapsed, found.places, found.lapses)
    return calibrate(reviews, found.recalled)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is simulated: cards, and the days on which new questions are met."""

    cards: Mapping[str, Card]
    meetings: Mapping[str, int]
    last_chances: Mapping[str, int]
    parameters: Parameters


def simulate(
    outlook: Outlook, goal: Goal, today: int, calibration: Calibration, runs: int = RUNS
) -> tuple[list[str], Floats]:
    """Return the questions, and the chance to recall each on the day: one row per run."""
    chance = np.random.default_rng(goal.day)
    learned = [name for name, card in outlook.cards.items() if card.memory is not None]
    names = [*learned, *outlook.meetings]
    found = []
    for _ in range(runs):
        run = _Run(outlook, goal, learned, calibration.draw(chance), chance)
        for day in range(today, goal.day):
            run.study(day)
        found.append(run.predict(np.arange(len(names)), goal.day))
    return names, np.array(found)


def summarize(names: Sequence[str], runs: Floats, chosen: Iterable[str]) -> Recall | None:
    """Summarize some questions over all runs; None where there are none."""
    places = {name: place for place, name in enumerate(names)}
    at = [places[name] for name in chosen if name in places]
    if not at:
        return None
    means = runs[:, at].mean(axis=1)
    low, high = np.quantile(means, _INTERVAL)
    return Recall(float(means.mean()), float(low), float(high))


class _Run:
    """All questions of one run, in arrays: those learned, then those to be met."""

    def __init__(
        self,
        outlook: Outlook,
        goal: Goal,
        learned: Sequence[str],
        calibration: Calibration,
        chance: np.random.Generator,
    ) -> None:
        self._parameters, self._goal = outlook.parameters, goal
        self._calibration, self._chance = calibration, chance
        names = [*learned, *outlook.meetings]
        memories = [m for name in learned if (m := outlook.cards[name].memory) is not None]
        new = [_UNMET] * len(outlook.meetings)
        every = [*memories, *new]
        self._stability = np.array([memory.stability for memory in every])
        self._difficulty = np.array([memory.difficulty for memory in every])
        self._last = np.array([memory.last_day for memory in every], np.int64)
        self._repetitions = np.array([memory.repetitions for memory in every], np.int64)
        self._lapses = np.array([memory.lapses for memory in every], np.int64)
        due = [*(memory.due_day for memory in memories), *outlook.meetings.values()]
        self._due = np.array(due, np.int64)
        last_chances = [outlook.last_chances.get(name, goal.day) for name in names]
        self._last_chances = np.array(last_chances, np.int64)

    def study(self, day: int) -> None:
        """Answer what is due on a day, and what is met on it."""
        weights, chance = self._parameters.weights, self._chance
        met_again = self._last >= self._goal.last_fifth.start
        beyond = ~met_again & (self._due >= self._goal.day)
        due = (np.where(beyond, self._last_chances, self._due) <= day) & (self._last < day)
        new = np.flatnonzero(due & (self._repetitions == 0))
        old = np.flatnonzero(due & (self._repetitions > 0))
        first = chance.choice((1, 2, 3, 4), len(new), p=FIRST_RATINGS)
        self._stability[new], self._difficulty[new] = arrays.begin(weights, first)
        right = chance.random(len(old)) < self.predict(old, day)
        ratings = np.where(right, chance.choice((2, 3, 4), len(old), p=RECALLED_RATINGS), 1)
        self._stability[old], self._difficulty[old] = arrays.advance(
            weights, self._stability[old], self._difficulty[old], day - self._last[old], ratings
        )
        self._lapses[old] += ~right
        answered = np.concatenate([new, old])
        self._last[answered] = day
        self._repetitions[answered] += 1
        retention, maximum = self._parameters.retention, self._parameters.maximum_days
        days = arrays.interval(weights, self._stability[answered], retention, maximum)
        self._due[answered] = day + days

    def predict(self, at: Ints, day: int) -> Floats:
        """Return the calibrated chance of recall; 0 for what was never met."""
        elapsed = np.maximum(1, day - self._last[at])
        predicted = arrays.recall(self._parameters.weights, elapsed, self._stability[at])
        repetitions = self._repetitions[at]
        found = self._calibration.apply(Reviews(predicted, elapsed, repetitions, self._lapses[at]))
        return np.where(repetitions > 0, found, 0.0)


_UNMET = Memory(1.0, 5.0, -1, 0, 0, 0)
"""What stands in the arrays for a question until it is met."""
