"""The days to a date, simulated many times: what fits into the minutes, and what is recalled then.

Each run draws how the person's recall differs from the scheduler's prediction (`calibration`), how
long their answers take, which days they miss, and every answer on the way; what is forgotten is
asked again and costs its time. The spread of the runs is the uncertainty. Loads NumPy.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from quizapp.domain.log.projection import AnswerFact
from quizapp.domain.minutes import (
    ANSWERS_PER_LAPSE,
    EASY_SHARE,
    NEW_ANSWERS,
    NEW_SHARE,
    REVIEW_ANSWERS,
)
from quizapp.domain.planning import memory_arrays as arrays
from quizapp.domain.planning.calibration import RecallCalibration, Reviews, calibrate
from quizapp.domain.planning.memory_arrays import Bools, Floats, Ints
from quizapp.domain.planning.tuning import gather, replay
from quizapp.domain.queue import REPEAT_AFTER
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import CardMemory, Parameters

FIRST_RATINGS = (0.24, 0.094, 0.495, 0.171)
RECALLED_RATINGS = (0.224, 0.631, 0.145)
"""How often a new question, and one that is recalled, gets each rating (py-fsrs's optimizer)."""

RUNS = 40
_INTERVAL = (0.1, 0.9)

_NEVER = 1_000_000
"""A day that no simulation reaches."""


@dataclass(frozen=True, slots=True)
class RecallForecast:
    """The predicted share recalled on a day, and between which it is in eight runs of ten."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Habits:
    """How a person studies, as far as it is known.

    Attributes:
        minutes: per answer of each question.
        pace_sd: how far their pace may be from these, as a standard deviation of its logarithm.
        studied, missed: days on which they answered something, and days without.
        first_wrong: share of new questions that they answer wrong.
    """

    minutes: Mapping[str, float]
    pace_sd: float = 0.0
    studied: int = 0
    missed: int = 0
    first_wrong: float = FIRST_RATINGS[0]


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is simulated: what was learned, what is new in its order, and who studies it.

    `last_chances`: the latest day on which a question returns (`Goal.spread`). `used`: minutes of
    the first day that are spent, or held for what returns on it. `easy`: days of fewer minutes.
    """

    learned: Mapping[str, CardMemory]
    new: Sequence[str]
    last_chances: Mapping[str, int]
    parameters: Parameters
    calibration: RecallCalibration
    habits: Habits
    used: float = 0.0
    easy: Container[int] = frozenset()


@dataclass(frozen=True, slots=True)
class DayRule:
    """How a day is filled: until its minutes are used up, new questions with their share of them.

    `retention`: the chance of recall at which a question returns. `new_per_day`: at most so many
    new ones.
    """

    retention: float
    minutes: float = inf
    new_share: float = NEW_SHARE
    new_per_day: float = inf


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the runs came to; rows are runs.

    Attributes:
        names: the questions, those learned first, then the new ones in their order.
        recall: the chance to recall each on the last day.
        met: how many of the new ones were met by then.
        minutes: spent on each day.
        all_met_on: the day by whose end every new question was met; a far one if none was.
    """

    names: tuple[str, ...]
    recall: Floats
    met: Ints
    minutes: Floats
    all_met_on: Ints


def observe(minutes: Mapping[str, float], facts: Sequence[AnswerFact], today: int) -> Habits:
    """Say how a person studies, by their counted answers; `minutes`: per answer of a question."""
    first = [fact for fact in facts if fact.counts and fact.was_new]
    wrong = sum(fact.rating is Rating.AGAIN for fact in first)
    timed = sum(fact.counts and fact.correct for fact in facts)
    days = {fact.study_day for fact in facts}
    missed = today - min(days) - sum(day < today for day in days) if days else 0
    return Habits(
        minutes,
        pace_sd=_PACE_SD / (1 + timed / _KNOWN_PACE) ** 0.5,
        studied=len(days),
        missed=max(0, missed),
        first_wrong=(_FIRST_ANSWERS * FIRST_RATINGS[0] + wrong) / (_FIRST_ANSWERS + len(first)),
    )


def learn(facts: Iterable[AnswerFact], parameters: Parameters) -> RecallCalibration:
    """Learn from counted answers, in log order, how the person differs from the prediction."""
    found = replay(gather(facts), parameters.weights)
    reviews = Reviews(found.predicted, found.elapsed, found.places, found.lapses)
    return calibrate(reviews, found.recalled)


def simulate(outlook: Outlook, rule: DayRule, days: range, runs: int = RUNS) -> Outcome:
    """Study from the first of `days` to the last, and look at the day after it."""
    return compare(outlook, [rule], days, runs)[0]


def compare(
    outlook: Outlook, rules: Sequence[DayRule], days: range, runs: int, *, to_all_met: bool = False
) -> list[Outcome]:
    """Simulate some rules at once, which takes little longer than one of them.

    `to_all_met`: stop on the day on which every run has met everything.
    """
    simulation = _Simulation(outlook, rules, days, runs)
    for day in days:
        if to_all_met and simulation.is_done:
            break
        simulation.study(day)
    return simulation.outcomes()


def by_question(outcome: Outcome) -> dict[str, Floats]:
    """Return the chance to recall each question, a value per run."""
    return dict(zip(outcome.names, outcome.recall.T, strict=True))


def summarize(outcome: Outcome, chosen: Iterable[str]) -> RecallForecast | None:
    """Summarize the recall of some questions over all runs; None where there are none."""
    places = {name: place for place, name in enumerate(outcome.names)}
    at = [places[name] for name in chosen if name in places]
    if not at:
        return None
    return summarize_shares(outcome.recall[:, at].mean(axis=1))


def summarize_shares(shares: Floats) -> RecallForecast:
    """Summarize a share that each run came to."""
    low, high = np.quantile(shares, _INTERVAL)
    return RecallForecast(float(shares.mean()), float(low), float(high))


class _Simulation:
    """All runs at once: arrays of runs × questions, those learned first, then the new ones."""

    def __init__(self, outlook: Outlook, rules: Sequence[DayRule], days: range, runs: int) -> None:
        self._outlook, self._days, self._runs = outlook, days, runs
        self._chance = np.random.default_rng(days.stop)
        self._names, self._learned = (*outlook.learned, *outlook.new), len(outlook.learned)
        self._read_rules(rules)
        runs *= len(rules)
        memories = [*outlook.learned.values(), *[_UNMET] * len(outlook.new)]

        def column(values: Iterable[float], kind: type) -> np.ndarray:
            return np.tile(np.fromiter(values, kind, len(memories)), (runs, 1))

        self._stability = column((m.stability for m in memories), float)
        self._difficulty = column((m.difficulty for m in memories), float)
        self._last = column((m.last_day for m in memories), int)
        # What a schedule asks on the day of its answer waits for the next.
        self._due = column((max(m.due_day, m.last_day + 1) for m in memories), np.int32)
        self._repetitions = column((m.repetitions for m in memories), int)
        self._lapses = column((m.lapses for m in memories), int)
        last_chances = [outlook.last_chances.get(name, days.stop) for name in self._names]
        self._last_chances = np.array(last_chances, int)
        self._fifth = days.stop if not last_chances else min(days.stop, *last_chances)
        self._rows = len(memories) * np.arange(runs)[:, None]
        self._in_fifth = False
        self._met = np.zeros(runs, int)
        self._all_met_on = np.full(runs, _NEVER)
        self._draw_habits(len(rules))

    def _read_rules(self, rules: Sequence[DayRule]) -> None:
        """Spread the rules over their runs, and bound what is looked at for a day."""

        def by_run(values: Iterable[float]) -> Floats:
            return np.repeat(np.array([*values], float), self._runs)

        self._retention = by_run(rule.retention for rule in rules)
        self._bound = by_run(rule.minutes for rule in rules)[:, None]
        self._new_share = by_run(rule.new_share for rule in rules)[:, None]
        self._new_per_day = by_run(rule.new_per_day for rule in rules)[:, None]
        each = (self._outlook.habits.minutes[name] for name in self._names)
        most = self._bound.max() / max(min(each, default=1.0), _LEAST_MINUTES) + 2
        self._most_old = int(min(len(self._names), most))
        self._most_new = int(min(len(self._outlook.new), most, self._new_per_day.max()))

    def _draw_habits(self, rules: int) -> None:
        """Draw what differs between the runs from the first day on.

        The runs of each rule are about the same people, so that rules are compared, not people.
        """
        habits, runs = self._outlook.habits, self._runs
        each = np.array([habits.minutes[name] for name in self._names])
        pace = np.exp(self._chance.normal(0, habits.pace_sd, runs))
        self._minutes = np.tile(pace[:, None] * each, (rules, 1))
        presence = self._chance.beta(_STUDIED + habits.studied, _MISSED + habits.missed, runs)
        self._presence = np.tile(presence, rules)
        drawn = self._outlook.calibration.draw(self._chance, runs)
        self._coefficients = np.tile(drawn, (rules, 1))
        guessed = np.minimum(self._chance.exponential(_GUESSED, runs), _MOST_GUESSED)
        self._guessed = np.tile(guessed, rules)[:, None]
        self._spent = np.zeros((rules * runs, len(self._days)))
        self._spent[:, :1] = self._outlook.used

    def study(self, day: int) -> None:
        """Answer what fits into the minutes of a day, in all runs."""
        used = self._outlook.used if day == self._days.start else 0.0
        share = EASY_SHARE if day in self._outlook.easy else 1.0
        bound = np.maximum(0, share * self._bound - used)
        at, valid, old_minutes = self._within(bound, *self._list_due(day))
        new, new_valid, new_minutes = self._within(bound, *self._list_new())
        here = (self._chance.random(len(at)) < self._presence)[:, None]
        right = self._chance.random(at.shape) < self._predict(at, day)
        passed = self._chance.random(new.shape) >= self._outlook.habits.first_wrong
        old_repeats = old_minutes * (ANSWERS_PER_LAPSE * ~right)
        new_repeats = new_minutes * (ANSWERS_PER_LAPSE * ~passed)
        old_cost = np.where(valid, old_minutes + old_repeats, 0)
        new_cost = np.where(new_valid, new_minutes + new_repeats, 0)
        turns = np.concatenate(
            [_before(old_cost) / (1 - self._new_share), _before(new_cost) / self._new_share], axis=1
        )
        order = np.argsort(turns, axis=1, kind="stable")
        order += order.shape[1] * np.arange(len(order))[:, None]

        def ordered(old: np.ndarray, fresh: np.ndarray) -> np.ndarray:
            return np.concatenate([old, fresh], axis=1).take(order)

        asked = ordered(valid, new_valid) & here
        minutes = ordered(old_minutes, new_minutes) * asked
        repeats = ordered(old_repeats, new_repeats) * asked
        expected = ordered(old_minutes * REVIEW_ANSWERS, new_minutes * NEW_ANSWERS) * asked
        fits = _fit(minutes, repeats, expected, bound)
        fits |= (_before(minutes) == 0) & (used == 0)
        taken = asked & np.logical_and.accumulate(fits | ~asked, axis=1)
        once, again = ((each * taken).sum(axis=1) for each in (minutes, repeats))
        left = np.maximum(0, bound[:, 0] - once)
        self._spent[:, day - self._days.start] += once + np.minimum(again, left)
        rows, columns = np.nonzero(taken)
        questions, known = ordered(at, new)[rows, columns], ordered(right, passed)[rows, columns]
        self._answer(rows, questions, known, day)

    @property
    def is_done(self) -> bool:
        """True if every run has met everything."""
        return bool((self._met == len(self._outlook.new)).all())

    def outcomes(self) -> list[Outcome]:
        """Return what the runs of each rule came to."""
        every = np.broadcast_to(np.arange(len(self._names)), self._last.shape)
        right = self._predict(every, self._days.stop)
        known = np.maximum(0, (right - self._guessed) / (1 - self._guessed))
        recall = np.where(self._repetitions > 0, known, 0.0)
        found = (recall, self._met, self._spent, self._all_met_on)
        parts = (np.split(each, len(self._met) // self._runs) for each in found)
        return [Outcome(self._names, *part) for part in zip(*parts, strict=True)]

    def _list_due(self, day: int) -> tuple[Ints, Bools]:
        """List the places of what is due, longest overdue first, and which of these are due."""
        if day >= self._fifth and not self._in_fifth:
            self._in_fifth = True
            self._bring_forward()
        due = self._due[:, : self._learned + int(self._met.max(initial=0))]
        ripe = due <= day
        waiting = ripe.sum(axis=1)
        most = int(waiting.max(initial=0))
        if most > self._most_old:
            at = np.argpartition(due, self._most_old - 1, axis=1)[:, : self._most_old]
            order = np.argsort(np.take_along_axis(due, at, 1), axis=1, kind="stable")
            at = np.take_along_axis(at, order, 1)
            return at, np.arange(self._most_old) < waiting[:, None]
        rows, columns = np.nonzero(ripe)
        order = np.lexsort((due[rows, columns], rows))
        at = np.zeros((len(due), most), int)
        valid = np.arange(most) < waiting[:, None]
        at[valid] = columns[order]
        return at, valid

    def _within(self, bound: Floats, at: Ints, valid: Bools) -> tuple[Ints, Bools, Floats]:
        """Leave out what no run has minutes for, and return the others with their minutes."""
        minutes = self._minutes.take(self._rows + at)
        most = int((_before(minutes) < bound).any(axis=0).sum())
        return at[:, :most], valid[:, :most], minutes[:, :most]

    def _bring_forward(self) -> None:
        """Give what would not return before the last day its last chance, as the fifth begins."""
        beyond = (self._repetitions > 0) & (self._last < self._fifth)
        beyond &= self._due >= self._days.stop
        chance = np.maximum(self._last_chances, self._last + 1)
        self._due = np.where(beyond, chance, self._due).astype(np.int32)

    def _list_new(self) -> tuple[Ints, Bools]:
        """List the places of the next new questions, and which of these there are."""
        left = len(self._outlook.new) - int(self._met.min(initial=0))
        places = np.arange(min(self._most_new, left))
        numbers = self._met[:, None] + places
        valid = (numbers < len(self._outlook.new)) & (places < self._new_per_day)
        return np.where(valid, self._learned + numbers, 0), valid

    def _answer(self, rows: Ints, at: Ints, known: Bools, day: int) -> None:
        """Answer these questions, each in its run."""
        weights, place = self._outlook.parameters.weights, (rows, at)
        new = self._repetitions[place] == 0
        first = self._chance.choice((2, 3, 4), len(at), p=_FIRST_PASSED)
        again = self._chance.choice((2, 3, 4), len(at), p=RECALLED_RATINGS)
        rating = np.where(known, np.where(new, first, again), 1)
        begun = arrays.begin(weights, rating)
        elapsed = np.maximum(1, day - self._last[place])
        before = self._stability[place], self._difficulty[place]
        advanced = arrays.advance(weights, *before, elapsed, rating)
        self._stability[place] = np.where(new, begun[0], advanced[0])
        self._difficulty[place] = np.where(new, begun[1], advanced[1])
        self._lapses[place] += ~known & ~new
        self._repetitions[place] += 1
        self._last[place] = day
        retention, maximum = self._retention[rows], self._outlook.parameters.maximum_days
        days = arrays.interval(weights, self._stability[place], retention, maximum)
        self._due[place] = day + days
        self._met += np.bincount(rows[new], minlength=len(self._met))
        done = (self._met == len(self._outlook.new)) & (self._all_met_on == _NEVER)
        self._all_met_on[done] = day

    def _predict(self, at: Ints, day: int) -> Floats:
        """Return the calibrated chance that the questions at these places are right, by run."""
        at = self._rows + at
        elapsed, stability = np.maximum(1, day - self._last.take(at)), self._stability.take(at)
        predicted = arrays.recall(self._outlook.parameters.weights, elapsed, stability)
        repetitions, lapses = self._repetitions.take(at), self._lapses.take(at)
        reviews = Reviews(predicted, elapsed, repetitions, lapses)
        drawn = self._coefficients[:, None, :]
        return self._outlook.calibration.apply_drawn(reviews, drawn)


def _fit(minutes: Floats, repeats: Floats, expected: Floats, bound: Floats) -> Bools:
    """Return which questions of a day are asked before its minutes are over.

    A session is filled by what its answers take in the mean (`domain.minutes`), and asked until
    the time is over; what is left after its last repeat is filled again. Repeats return some
    answers later, so those of the last wrong answers take no time.
    """
    begins = _before(minutes) + _return_later(_before(repeats))
    planned = (_before(expected) + minutes / 2 <= bound) & (begins < bound)
    again = _before(minutes + repeats) + minutes / 2 <= bound
    return np.asarray(planned | again)


def _before(cost: Floats) -> Floats:
    """Return what was spent before each."""
    return np.asarray(np.cumsum(cost, axis=1) - cost)


def _return_later(before: Floats) -> Floats:
    """Return what was spent before each if it is spent `REPEAT_AFTER` answers later."""
    return np.pad(before, ((0, 0), (REPEAT_AFTER, 0)))[:, : before.shape[1]]


_PACE_SD, _KNOWN_PACE = 0.25, 40
"""How far a pace may be from the usual, and after how many right answers half of that is known."""

_FIRST_ANSWERS = 20
"""So many first answers weigh as much as what is usual."""

_STUDIED, _MISSED = 9.0, 1.0
"""How many days of ten a person is supposed to study before anything is known."""

_GUESSED, _MOST_GUESSED = 0.07, 0.4
"""Which share of what is forgotten may be right all the same, in the mean and at most.

Answers do not say it: a guess is rated as if it were known. So it is drawn, as unknown as it is.
"""

_LEAST_MINUTES = 0.1
"""No answer is supposed to take less: it bounds how many are looked at for a day."""

_FIRST_PASSED = tuple(share / sum(FIRST_RATINGS[1:]) for share in FIRST_RATINGS[1:])

_UNMET = CardMemory(1.0, 5.0, -1, _NEVER, 0, 0)
"""What stands in the arrays for a question until it is met."""
