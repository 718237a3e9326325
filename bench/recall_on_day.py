"""The recall that a plan predicts for its day against that of learners with other memories.

They study for 60 days, set a plan for 30 days ahead, and do what it asks; the prediction is made
when the plan is set, from the reviews until then. Their real recall on the day is the mean of their
own chances, over all planned questions.
"""

from __future__ import annotations

from statistics import median
from typing import NamedTuple

import numpy as np

from bench.data import Data
from bench.figures import Figure, count_rounds
from bench.forecast import Log
from bench.learners import Learner
from quizapp.domain.goal import Goal
from quizapp.domain.planning import forecast
from quizapp.domain.planning.calibration import calibrate
from quizapp.domain.schedule import CardMemory, Parameters

SET_ON, DAY = 60, 90
NEW = 10
_ALWAYS = 1_000_000
"""Days studied by somebody who never misses one."""
LEARNERS = 60
LIMIT, LEAST_WITHIN = 0.015, 0.65
"""How far the predicted mean may be from the real one, for half of the learners; and how many of
them must be within the range."""


class OnTheDay(NamedTuple):
    """What was predicted for the day, with its range, and the learner's real recall."""

    predicted: float
    low: float
    high: float
    real: float

    @property
    def error(self) -> float:
        """How far the prediction is from the real recall."""
        return abs(self.predicted - self.real)

    @property
    def within(self) -> bool:
        """True if the real recall is within the range that the plan shows."""
        return self.low <= self.real <= self.high


def measure(_data: Data | None, repeat: int = LEARNERS) -> list[Figure]:
    """The error of the predicted mean, and how often the real recall is within the range."""
    found = [plan_and_study(seed) for seed in count_rounds(repeat)]
    errors = [each.error for each in found]
    bias = sum(each.predicted - each.real for each in found) / repeat
    within = sum(each.within for each in found)
    ahead = f"{DAY - SET_ON} days ahead"
    return [
        Figure(
            "plan recall",
            f"error of the recall that a plan predicts {ahead}, median of {repeat} learners",
            100 * median(errors),
            100 * LIMIT,
            "%",
            f"points of recall; worst {100 * max(errors):.1f}, mean {100 * bias:+.1f}; the real "
            f"recall is {100 * median(each.real for each in found):.1f}%",
        ),
        Figure(
            "plan range",
            f"learners whose recall is within the range that a plan shows {ahead}",
            100 * within / repeat,
            100 * LEAST_WITHIN,
            "%",
            f"{within} of {repeat}; eight of ten simulated runs are within it",
            at_least=True,
        ),
    ]


def plan_and_study(seed: int) -> OnTheDay:
    """Let a learner study, plan, and do what the plan asks; compare on the day."""
    learner, log = Learner(seed), Log([], [], [])
    for day in range(SET_ON):
        today = np.flatnonzero(learner.due <= day)
        if len(today):
            log.reviews.append(learner.reviews(today, day))
            log.recalled.append(learner.review(today, day))
        learner.learn(NEW, day)
    goal = Goal(SET_ON, DAY, 30)
    learned, study_days = len(learner.due), range(SET_ON, DAY)
    names = [f"q{n}" for n in range(learned + NEW * len(study_days))]
    days = goal.last_fifth
    last_chances = {name: days[place % len(days)] for place, name in enumerate(names)}
    outlook = forecast.Outlook(
        {name: _memory(learner, n) for n, name in enumerate(names[:learned])},
        names[learned:],
        last_chances,
        Parameters(),
        calibrate(*log.joined()),
        forecast.Habits(dict.fromkeys(names, 1.0), pace_sd=0, studied=_ALWAYS),
    )
    rule = forecast.DayRule(Parameters().retention, new_per_day=NEW)
    predicted = forecast.summarize(forecast.simulate(outlook, rule, study_days), names)
    assert predicted is not None
    for day in study_days:
        seen = zip(learner.last.tolist(), learner.due.tolist(), strict=True)
        due = [
            goal.bring_forward(last, due_day, last_chances[name])
            for name, (last, due_day) in zip(names, seen, strict=False)
        ]
        learner.review(np.flatnonzero((np.array(due) <= day) & (learner.last < day)), day)
        learner.learn(NEW, day)
    real = float(learner.recall(np.arange(len(names)), DAY).mean())
    return OnTheDay(predicted.mean, predicted.low, predicted.high, real)


def _memory(learner: Learner, at: int) -> CardMemory:
    """Return what the scheduler keeps of a card."""
    return CardMemory(
        stability=float(learner.own.stability[at]),
        difficulty=float(learner.own.difficulty[at]),
        last_day=int(learner.last[at]),
        due_day=int(learner.due[at]),
        repetitions=int(learner.repetitions[at]),
        lapses=int(learner.lapses[at]),
    )
