"""Chooses how a plan studies: the retention and the share of new questions that teach the most.

Each pair is simulated to the day; what counts is what will be recalled then, by how often it is
asked. From there come the questions that fit, the minutes that would do for all, and the day by
which all would be met. Loads NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, inf
from typing import NamedTuple

import numpy as np

from quizapp.domain.goal import LATEST_DAYS, MOST_MINUTES, Goal
from quizapp.domain.minutes import whole_minutes
from quizapp.domain.planning.forecast import DayRule, Outcome, Outlook, compare, simulate
from quizapp.domain.planning.memory_arrays import Floats

RETENTIONS = (0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
NEW_SHARES = (0.5, 0.75)
_MORE_MINUTES = (1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5)
"""How many times the planned minutes are tried, to find what would do."""

_TRIES = 3
"""So many minutes that seem to do are tried as plans; each takes up to a second."""

_LONGER = (1, 1.15, 1.4, 1.8)
"""How many times the days after which everything is met are tried, until a plan of them does."""

_ROUGH_RUNS, _FAR_RUNS, _FAR_DAYS = 12, 6, 365
"""Runs of each plan that is tried, and of one farther than so many days, which costs the most."""

_ABOUT_AS_GOOD = 0.98
"""Among plans that teach nearly as much as the best, one that meets everything is chosen if there
is any, then the one that forgets least."""

_FEW_RUNS, _WEEK = 7, 7
_LONGEST_PACE, _REVIEWED_AFTER = 75, 7
"""Days that are simulated for a pace, at most; and days after the last new question."""

_IN_EIGHT_OF_TEN = 0.2
"""The quantile above which eight of ten runs are."""


class MetRange(NamedTuple):
    """How many questions will be met: in the mean, and between which in eight runs of ten."""

    mean: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Fit:
    """What fits into the time, over all runs.

    Attributes:
        questions: how many will have been met by the day.
        met: the same, in eight runs of ten at least.
        new: how many of `met` are new from now on.
        minutes: what would do for everything per day; None if several times the planned do not.
        most: the most minutes that were tried.
        enough_day: by when everything is met at the planned minutes; None where everything fits
            anyway, or where two years do not suffice.
        daily: minutes per day, in the mean and at their peak.
    """

    questions: MetRange
    met: int
    new: int
    minutes: int | None
    most: int
    enough_day: int | None
    daily: tuple[float, float]


def choose(
    goal: Goal, today: int, outlook: Outlook, weights: Mapping[str, float], retention: float | None
) -> Goal:
    """Return the plan with what is best for it, and what it promises.

    `weights`: how much each question counts. `retention`: the person's own, which is not to be
    changed; None to choose it.
    """
    weight = np.array([weights[name] for name in (*outlook.learned, *outlook.new)])
    tried = [
        replace(goal, retention=each, new_share=new_share)
        for new_share in NEW_SHARES
        for each in (RETENTIONS if retention is None else (retention,))
    ]
    rules = [make_rule(each, outlook) for each in tried]
    found = _try(outlook, rules, range(today, goal.day))
    known = [float(outcome.recall.mean(axis=0) @ weight) for outcome in found]
    meets_all = [_quantile(outcome, 0, _IN_EIGHT_OF_TEN) == len(outlook.new) for outcome in found]
    good = [
        (not all_met, each.new_share, -(each.retention or 0), each)
        for each, taught, all_met in zip(tried, known, meets_all, strict=True)
        if taught >= _ABOUT_AS_GOOD * max(known)
    ]
    best = min(good, key=lambda each: each[:3])[3]
    met = _quantile(run(best, today, outlook), len(outlook.learned), _IN_EIGHT_OF_TEN)
    return replace(best, retention=None if retention is not None else best.retention, promised=met)


def _try(outlook: Outlook, rules: Sequence[DayRule], days: range) -> list[Outcome]:
    """Simulate each rule roughly: all of them for the same few people."""
    return compare(outlook, rules, days, _ROUGH_RUNS if len(days) <= _FAR_DAYS else _FAR_RUNS)


def run(goal: Goal, today: int, outlook: Outlook) -> Outcome:
    """Simulate the days of a plan."""
    return simulate(outlook, make_rule(goal, outlook), range(today, goal.day))


def make_rule(goal: Goal, outlook: Outlook) -> DayRule:
    """Return how the days of a plan are filled."""
    retention = outlook.parameters.retention if goal.retention is None else goal.retention
    return DayRule(retention, goal.minutes, goal.new_share)


def find_fit(
    goal: Goal, today: int, outlook: Outlook, outcome: Outcome, confirms: Callable[[Goal], bool]
) -> Fit:
    """Find what fits, by the outcome of the plan's own runs and some more.

    `confirms`: returns True if everything fits into a plan, once it is chosen how it studies.
    """
    learned, wanted = len(outlook.learned), len(outlook.new)
    met = _quantile(outcome, learned, _IN_EIGHT_OF_TEN)
    daily = outcome.minutes.mean(axis=0)
    minutes: int | None = goal.minutes
    most, enough_day = goal.minutes, None
    if met < learned + wanted:
        rule, days = make_rule(goal, outlook), range(today, goal.day)
        fives = (5 * ceil(goal.minutes * times / 5) for times in _MORE_MINUTES)
        more = [*dict.fromkeys(min(MOST_MINUTES, each) for each in fives)]
        found = _try(outlook, [replace(rule, minutes=each) for each in more], days)
        enough = [_quantile(each, 0, _IN_EIGHT_OF_TEN) == wanted for each in found]
        most = max(more)
        may_do = [each for each, fits in zip(more, enough, strict=True) if fits][:_TRIES]
        minutes = next((n for n in may_do if confirms(replace(goal, minutes=n))), None)
        far = range(today, today + LATEST_DAYS)
        [later] = compare(outlook, [rule], far, _ROUGH_RUNS, to_all_met=True)
        last = int(np.quantile(later.all_met_on, 1 - _IN_EIGHT_OF_TEN, method="higher"))
        days_off = (today + ceil((last + 1 - today) * longer) for longer in _LONGER)
        may_be = (each for each in days_off if each <= far.stop)
        enough_day = next((d for d in may_be if confirms(replace(goal, day=d))), None)
    return Fit(
        find_range(outlook, outcome),
        met=met,
        new=met - learned,
        minutes=minutes,
        most=most,
        enough_day=enough_day,
        daily=(float(daily.mean()), float(daily.max(initial=0.0))),
    )


@dataclass(frozen=True, slots=True)
class PaceForecast:
    """What a pace of new questions takes while there are new ones: minutes per day.

    `mean` is of all days, `peak` of the longest week. `minutes`: of a day, where these and not
    the pace bound its new questions; else 0. `rate`: new questions per day that come of it.
    """

    mean: int
    peak: int
    minutes: int
    rate: int


def foresee(outlook: Outlook, today: int, pace: int, minutes: int) -> PaceForecast:
    """Simulate the days that a pace takes to meet everything; `minutes` bound a day, 0 does not."""
    length = min(_LONGEST_PACE, ceil(len(outlook.new) / max(1, pace)) + _REVIEWED_AFTER)
    days = range(today, today + length)
    kept = outlook.parameters.retention
    rule = DayRule(kept, minutes or inf, new_per_day=pace)
    # The median of the runs: in some, little is kept in mind, and the minutes grow without end.
    [found] = compare(outlook, [rule], days, _FEW_RUNS)
    daily = np.median(found.minutes, axis=0)
    mean, peak = whole_minutes(float(daily.mean())), whole_minutes(_worst(daily, _WEEK))
    taken = np.maximum(1, np.minimum(found.all_met_on - today + 1, length))
    rate = max(1, round(float(np.median(found.met / taken))))
    if not minutes or rate >= pace:
        return PaceForecast(mean, peak, 0, pace)
    return PaceForecast(mean, peak, minutes, rate)


def _worst(daily: Floats, days: int) -> float:
    """Return the mean of so many days in a row that took the longest."""
    days = min(days, len(daily))
    return float(np.convolve(daily, np.ones(days) / days, "valid").max())


def count_fitting(goal: Goal, outlook: Outlook, outcome: Outcome) -> int:
    """Count what fits: what the plan promised, or less if that is more than the range holds."""
    learned = len(outlook.learned)
    if goal.promised is not None and goal.promised <= find_range(outlook, outcome).high:
        return goal.promised
    return _quantile(outcome, learned, _IN_EIGHT_OF_TEN)


def find_range(outlook: Outlook, outcome: Outcome) -> MetRange:
    """Find how many questions will have been met by the last day, with what was learned before."""
    learned = len(outlook.learned)
    mean = round(learned + float(outcome.met.mean()))
    return MetRange(mean, _quantile(outcome, learned, 0.1), _quantile(outcome, learned, 0.9))


def _quantile(outcome: Outcome, learned: int, share: float) -> int:
    """Return how many questions were met in the run at this share of all runs."""
    return learned + int(np.quantile(outcome.met, share, method="lower"))
