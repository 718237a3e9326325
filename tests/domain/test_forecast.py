"""The forecast: its FSRS against py-fsrs, what it learns of a person, what it says of the day."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from bench import recall_on_day
from bench.forecast import LIMIT, rmse_bins, simulate
from quizapp.domain.log.projection import AnswerFact
from quizapp.domain.planning import forecast, memory_arrays, plan_choice
from quizapp.domain.planning.calibration import PRIOR_SD, Reviews, calibrate
from quizapp.domain.planning.forecast import DayRule, Habits, Outlook, summarize
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import CardMemory, Parameters, fuzz_bounds, retrievability, review

DAY = 20_000
DEFAULT = Parameters()
NOBODY = Reviews(np.empty(0), *(np.empty(0, np.int64) for _ in range(3)))


@given(
    st.sampled_from(Rating),
    st.lists(st.tuples(st.sampled_from(Rating), st.integers(1, 300)), max_size=8),
    st.integers(1, 400),
)
def test_stability_difficulty_recall_and_interval_are_those_of_py_fsrs(first, history, later):
    weights = DEFAULT.weights
    memory = review("q", None, first, DAY, DEFAULT)
    stability, difficulty = memory_arrays.begin(weights, np.array([int(first)]))
    for rating, elapsed in history:
        memory = review("q", memory, rating, memory.last_day + elapsed, DEFAULT)
        arrays = stability, difficulty, np.array([elapsed]), np.array([int(rating)])
        stability, difficulty = memory_arrays.advance(weights, *arrays)
    assert stability[0] == pytest.approx(memory.stability)
    assert difficulty[0] == pytest.approx(memory.difficulty)
    chance = memory_arrays.recall(weights, np.array([later]), stability)
    expected = retrievability(memory, memory.last_day + later, DEFAULT)
    assert chance[0] == pytest.approx(expected)
    days = int(memory_arrays.interval(weights, stability, 0.9, 365)[0])
    low, high = fuzz_bounds(days, 365)
    assert low <= memory.due_day - memory.last_day <= high


def reviews_of(chance: np.random.Generator, number: int) -> Reviews:
    return Reviews(
        chance.uniform(0.7, 0.99, number),
        chance.integers(1, 60, number),
        chance.integers(1, 9, number),
        chance.integers(0, 3, number),
    )


def test_without_reviews_the_scheduler_is_believed_and_uncertain():
    known = calibrate(NOBODY, np.empty(0))
    some = reviews_of(np.random.default_rng(1), 50)
    assert known.apply(some) == pytest.approx(some.predicted)
    assert np.sqrt(np.diag(known.covariance)) == pytest.approx(PRIOR_SD)


def test_a_person_who_forgets_more_is_found_and_more_certainly_with_more_reviews():
    chance = np.random.default_rng(2)
    spreads = []
    for number in (100, 5000):
        reviews = reviews_of(chance, number)
        real = reviews.predicted - 0.15
        known = calibrate(reviews, (chance.random(number) < real).astype(float))
        spreads.append(known.covariance[0, 0])
        assert np.mean(known.apply(reviews)) == pytest.approx(np.mean(real), abs=1.5 / number**0.5)
    assert spreads[1] < spreads[0] / 5


def facts(ratings: list[Rating], elapsed: list[int], question: str = "q") -> list[AnswerFact]:
    days = [DAY + sum(elapsed[: n + 1]) for n in range(len(ratings))]
    return [
        AnswerFact(
            f"{question}{n}", question, "choice", days[n], n, counts=True, was_new=n == 0,
            correct=True, rating=rating, duration_ms=1, elapsed=0 if n == 0 else elapsed[n],
        )
        for n, rating in enumerate(ratings)
    ]  # fmt: skip


def test_the_log_is_learned_from_as_far_as_it_counts():
    """Fifty questions forgotten at each of three reviews, which were predicted at 90 % or so."""
    log = [
        fact
        for n in range(50)
        for fact in facts([Rating.GOOD, Rating.AGAIN, Rating.AGAIN], [0, 2, 1], f"q{n}")
    ]
    some = reviews_of(np.random.default_rng(1), 50)
    assert np.mean(forecast.learn(log, DEFAULT).apply(some)) < np.mean(some.predicted) - 0.1
    idle = [structs.replace(fact, counts=False) for fact in log]
    assert forecast.learn(idle, DEFAULT).apply(some) == pytest.approx(some.predicted)


def test_on_the_day_what_was_met_again_is_recalled_and_what_never_was_is_not():
    memory = CardMemory(40.0, 5.0, DAY - 5, DAY + 60, 3, 0)
    learned = dict.fromkeys(("planned", "free"), memory)
    outlook = look_ahead(["never"], learned, {"planned": DAY + 45})
    rule = DayRule(0.9, new_per_day=0)
    outcome = forecast.simulate(outlook, rule, range(DAY, DAY + 50), runs=60)
    assert outcome.names == ("planned", "free", "never")
    planned, free, never = (summarize(outcome, [name]) for name in outcome.names)
    assert planned is not None
    assert free is not None
    assert never is not None
    assert planned.mean > free.mean > never.mean == 0
    assert planned.low < planned.mean <= planned.high
    assert summarize(outcome, ["gone"]) is None
    again = forecast.simulate(outlook, rule, range(DAY, DAY + 50), runs=60)
    assert np.array_equal(outcome.recall, again.recall)


def look_ahead(new, learned=None, last_chances=None, **habits) -> Outlook:
    """Questions of two minutes, and somebody who misses no day and is as quick as is known."""
    learned = learned or {}
    minutes = dict.fromkeys([*learned, *new], 2.0)
    person = Habits(minutes, **({"pace_sd": 0.0, "studied": 10**6} | habits))
    known = calibrate(NOBODY, np.empty(0))
    return Outlook(learned, new, last_chances or {}, DEFAULT, known, person)


def test_new_questions_that_are_never_wrong_fill_the_minutes_of_the_first_day():
    """Ten minutes hold five of two minutes; the next day reviews share them."""
    outlook = look_ahead([f"q{n}" for n in range(50)], first_wrong=0.0)
    first = forecast.simulate(outlook, DayRule(0.9, 10), range(DAY, DAY + 1))
    assert set(first.met) == {5}
    assert set(first.minutes[:, 0]) == {10.0}
    whole = forecast.simulate(outlook, DayRule(0.9, 10), range(DAY, DAY + 60))
    assert whole.minutes.max() <= 15
    assert set(whole.met) == {50}
    assert DAY + 10 < whole.all_met_on.mean() < DAY + 25


def test_days_that_are_missed_wrong_answers_and_a_slow_pace_cost_questions():
    new = [f"q{n}" for n in range(400)]
    rules, days = [DayRule(0.9, 20)], range(DAY, DAY + 40)

    def met(**habits) -> float:
        return forecast.compare(look_ahead(new, **habits), rules, days, 30)[0].met.mean()

    usual = met()
    assert met(studied=0, missed=9) < 0.75 * usual
    assert met(first_wrong=0.8) < 0.9 * usual
    assert met(pace_sd=0.7) != usual


def test_rules_that_are_compared_have_their_own_runs():
    outlook = look_ahead([f"q{n}" for n in range(300)])
    one_a_day = [DayRule(retention, 60, new_per_day=1) for retention in (0.9, 0.7)]
    rules = [DayRule(0.9, 10), DayRule(0.9, 60), *one_a_day]
    few, many, slow, rare = forecast.compare(outlook, rules, range(DAY, DAY + 30), 8)
    assert few.recall.shape == (8, 300)
    assert few.met.max() < many.met.min()
    assert set(slow.met) == set(rare.met) == {30}
    assert rare.minutes.sum() < 0.9 * slow.minutes.sum()
    [late] = forecast.compare(outlook, rules[1:2], range(DAY, DAY + 700), 8, to_all_met=True)
    assert DAY + 15 < late.all_met_on.max() < DAY + 40


def test_the_minutes_of_a_pace_grow_with_it_and_minutes_bound_it():
    outlook = look_ahead([f"q{n}" for n in range(120)])
    slow, quick = (plan_choice.foresee(outlook, DAY, pace, 0) for pace in (4, 12))
    assert 8 < slow.mean < quick.mean
    assert slow.mean <= slow.peak < quick.peak
    assert (slow.rate, quick.rate) == (4, 12)
    bounded = plan_choice.foresee(outlook, DAY, 12, 30)
    assert bounded.minutes == 30
    assert 0 < bounded.rate < 8
    rule, days = DayRule(0.9, 30), range(DAY, DAY + 120 // bounded.rate)
    [within] = forecast.compare(outlook, [rule], days, 8)
    assert within.met.mean() > 0.85 * 120  # as a plan of these minutes says
    ample = plan_choice.foresee(outlook, DAY, 4, 600)
    assert (ample.minutes, ample.rate) == (0, 4)  # the pace bounds it
    assert plan_choice.foresee(outlook, DAY, 4, 1).rate == 1


def test_rmse_in_bins_is_the_difference_of_means_weighted_by_reviews():
    """Two bins: 4 reviews off by 0.1, and 12 that are right on average."""
    reviews = Reviews(
        np.zeros(16), np.array([1] * 4 + [50] * 12), np.full(16, 1), np.zeros(16, np.int64)
    )
    recalled = np.array([1.0, 1, 1, 1] + [1, 1, 0] * 4)
    predicted = np.array([0.9] * 4 + [2 / 3] * 12)
    assert rmse_bins(reviews, recalled, predicted) == pytest.approx((0.01 * 4 / 16) ** 0.5)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_learner_with_other_weights_is_forecast(seed):
    calibrated, _, reviews, _ = simulate(seed)
    assert reviews > 2000
    assert calibrated < LIMIT


def test_a_plan_predicts_the_recall_of_learners_with_other_memories():
    found = [recall_on_day.plan_and_study(seed) for seed in range(4)]
    assert np.median([each.error for each in found]) < recall_on_day.LIMIT
    assert all(each.low <= each.predicted <= each.high for each in found)
    assert any(each.within for each in found)
    assert all(each.real > 0.9 for each in found)


def test_what_is_wrong_last_on_a_day_is_not_repeated_any_more():
    """Four answers of one minute are planned for 5.1; all wrong, the last ones never return."""
    names = [f"q{n}" for n in range(9)]
    wrong = Habits(dict.fromkeys(names, 1.0), studied=1_000_000, first_wrong=1.0)
    outlook = Outlook({}, names, {}, DEFAULT, calibrate(NOBODY, np.empty(0)), wrong)
    outcome = forecast.simulate(outlook, DayRule(0.9, 4.4), range(DAY, DAY + 1))
    assert outcome.met.tolist() == [4] * forecast.RUNS
    assert outcome.minutes == pytest.approx(4.4)
