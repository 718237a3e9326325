"""The schedule against py-fsrs called directly, and the promises that our fuzz adds."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import fsrs
import pytest
from fsrs.scheduler import FUZZ_RANGES
from hypothesis import given
from hypothesis import strategies as st

from quizapp.domain.days import Instant, local_day
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import (
    CardMemory,
    Load,
    Parameters,
    fuzz,
    preview,
    retrievability,
    review,
)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY = 20_000
Q = "pack/question"
DEFAULT = Parameters()

ratings = st.sampled_from(Rating)
histories = st.lists(st.tuples(ratings, st.integers(1, 400)), min_size=1, max_size=8)
"""Ratings, each with the days that passed before it."""
parameter_sets = st.builds(
    Parameters, retention=st.floats(0.7, 0.97), maximum_days=st.sampled_from([30, 365, 36_500])
)


def midnight(day: int) -> datetime:
    return EPOCH + timedelta(days=day)


def oracle(parameters: Parameters) -> fsrs.Scheduler:
    return fsrs.Scheduler(
        desired_retention=parameters.retention,
        maximum_interval=parameters.maximum_days,
        learning_steps=(),
        relearning_steps=(),
        enable_fuzzing=False,
    )


def replay(history, parameters: Parameters = DEFAULT) -> CardMemory:
    memory, day = None, DAY
    for rating, passed in history:
        day += passed
        memory = review(Q, memory, rating, day, parameters)
    assert memory is not None
    return memory


# The mathematics is py-fsrs's


@given(histories, parameter_sets)
def test_stability_and_difficulty_are_those_of_py_fsrs(history, parameters):
    scheduler = oracle(parameters)
    card, memory, day = fsrs.Card(card_id=1), None, DAY
    for rating, passed in history:
        day += passed
        card, _ = scheduler.review_card(card, fsrs.Rating(rating.value), midnight(day))
        memory = review(Q, memory, rating, day, parameters)
        assert memory.stability == card.stability
        assert memory.difficulty == card.difficulty
        assert memory.last_day == day
        exact = (card.due - midnight(day)).days
        assert memory.due_day == day + fuzz(exact, Q, memory.repetitions, parameters.maximum_days)


@given(histories, st.integers(0, 1000), parameter_sets)
def test_the_chance_of_recall_is_that_of_py_fsrs(history, later, parameters):
    scheduler = oracle(parameters)
    card, day = fsrs.Card(card_id=1), DAY
    for rating, passed in history:
        day += passed
        card, _ = scheduler.review_card(card, fsrs.Rating(rating.value), midnight(day))
    expected = scheduler.get_card_retrievability(card, midnight(day + later))
    assert retrievability(replay(history, parameters), day + later, parameters) == expected


def test_at_its_stability_a_card_is_recalled_nine_times_in_ten():
    memory = CardMemory(50.0, 5.0, DAY, DAY + 50, 1, 0)
    assert retrievability(memory, DAY + 50, DEFAULT) == pytest.approx(0.9)
    assert retrievability(memory, DAY, DEFAULT) == 1


def test_own_weights_are_used():
    weights = tuple(w * 1.01 for w in fsrs.Scheduler().parameters)
    own = review(Q, None, Rating.GOOD, DAY, Parameters(weights=weights))
    card, _ = fsrs.Scheduler(parameters=weights, learning_steps=()).review_card(
        fsrs.Card(card_id=1), fsrs.Rating.Good, midnight(DAY)
    )
    assert own.stability == card.stability != replay([(Rating.GOOD, 0)]).stability


def test_a_higher_wanted_retention_asks_earlier():
    history = [(Rating.GOOD, 0), (Rating.GOOD, 10), (Rating.GOOD, 60)]
    often = replay(history, Parameters(retention=0.97))
    seldom = replay(history, Parameters(retention=0.7))
    assert often.due_day < seldom.due_day


# Days, not 24 hours


def test_an_evening_s_review_repeated_next_morning_is_a_day_later():
    """py-fsrs on the same hours floors them to no day at all."""
    offset = 3600
    evening = datetime(2026, 3, 10, 22, 0, tzinfo=UTC)
    morning = evening + timedelta(hours=9)
    days = [local_day(Instant(int(t.timestamp() * 1000), offset)) for t in (evening, morning)]
    assert days[1] - days[0] == 1

    ours = review(Q, None, Rating.GOOD, days[0], DEFAULT)
    ours = review(Q, ours, Rating.GOOD, days[1], DEFAULT)
    scheduler = oracle(DEFAULT)
    hourly, _ = scheduler.review_card(fsrs.Card(card_id=1), fsrs.Rating.Good, evening)
    hourly, _ = scheduler.review_card(hourly, fsrs.Rating.Good, morning)
    daily, _ = scheduler.review_card(fsrs.Card(card_id=1), fsrs.Rating.Good, midnight(DAY))
    daily, _ = scheduler.review_card(daily, fsrs.Rating.Good, midnight(DAY + 1))
    assert ours.stability == daily.stability != hourly.stability


def test_a_clock_set_back_does_not_take_a_card_back_before_its_last_review():
    memory = review(Q, None, Rating.GOOD, DAY, DEFAULT)
    again = review(Q, memory, Rating.GOOD, DAY - 5, DEFAULT)
    assert again.last_day == DAY
    assert again == review(Q, memory, Rating.GOOD, DAY, DEFAULT)
    assert retrievability(memory, DAY - 5, DEFAULT) == retrievability(memory, DAY, DEFAULT)


@given(histories, parameter_sets)
def test_a_card_always_returns_after_the_day_and_within_the_maximum(history, parameters):
    memory = replay(history, parameters)
    assert 1 <= memory.due_day - memory.last_day <= parameters.maximum_days


@given(histories)
def test_repetitions_and_lapses_are_counted(history):
    memory = replay(history)
    assert memory.repetitions == len(history)
    assert memory.lapses == sum(rating is Rating.AGAIN for rating, _ in history[1:])


# What was previewed is what happens


@given(st.none() | histories, st.integers(1, 400), parameter_sets, st.text("ab/-9", max_size=6))
def test_the_preview_is_what_happens(history, passed, parameters, question):
    memory = replay(history, parameters) if history else None
    day = DAY + passed if memory is None else memory.last_day + passed
    shown = preview(question, memory, day, parameters)
    assert set(shown) == set(Rating)
    for rating, days in shown.items():
        assert review(question, memory, rating, day, parameters).due_day == day + days


@given(histories, st.integers(0, 3))
def test_a_second_answer_on_a_day_previews_the_day_it_has(history, back):
    memory = replay(history)
    day = memory.last_day - back
    assert preview(Q, memory, day, DEFAULT) == dict.fromkeys(Rating, memory.due_day - day)


@given(st.none() | histories, st.integers(1, 400), parameter_sets)
def test_a_better_rating_never_returns_sooner(history, passed, parameters):
    """With one seed for all four ratings, the fuzz must not turn their order round."""
    memory = replay(history, parameters) if history else None
    day = DAY + passed if memory is None else memory.last_day + passed
    shown = preview(Q, memory, day, parameters)
    assert shown[Rating.HARD] <= shown[Rating.GOOD] <= shown[Rating.EASY]


# The day within the fuzz


loads = st.builds(
    Load,
    st.dictionaries(st.integers(DAY, DAY + 800), st.integers(0, 20), max_size=60),
    st.frozensets(st.integers(DAY, DAY + 800), max_size=60),
)


@given(st.none() | histories, st.integers(1, 400), parameter_sets, loads)
def test_the_chosen_day_is_what_happens_and_within_the_bounds(history, passed, parameters, load):
    memory = replay(history, parameters) if history else None
    day = DAY + passed if memory is None else memory.last_day + passed
    exact = oracle(parameters)
    shown = preview(Q, memory, day, parameters, load)
    assert shown[Rating.HARD] <= shown[Rating.GOOD] <= shown[Rating.EASY]
    for rating, days in shown.items():
        after = review(Q, memory, rating, day, parameters, chosen=day + days)
        assert after.due_day == day + days
        wanted = exact._next_interval(stability=after.stability)
        low, high = (wanted, wanted) if wanted < 3 else band(wanted, parameters.maximum_days)
        assert low <= days <= high


def test_the_day_with_the_fewest_reviews_is_chosen():
    low, high = band(8, 365)
    assert preview(Q, None, DAY, DEFAULT)[Rating.EASY] in range(low, high + 1)
    for free in range(low, high + 1):
        load = Load({DAY + days: 3 if days == free else 4 for days in range(30)})
        assert preview(Q, None, DAY, DEFAULT, load)[Rating.EASY] == free


def test_a_day_without_a_sibling_is_chosen_before_one_with_fewer_reviews():
    low, high = band(8, 365)
    siblings = {DAY + days for days in range(low, high)}
    load = Load({DAY + high: 50}, siblings)
    assert preview(Q, None, DAY, DEFAULT, load)[Rating.EASY] == high


def test_an_easy_day_is_chosen_only_if_the_fuzz_has_no_other():
    low, high = band(8, 365)
    most = {DAY + days for days in range(low, high)}
    assert preview(Q, None, DAY, DEFAULT, Load({DAY + high: 50}, easy=most))[Rating.EASY] == high
    every = Load({}, easy=range(DAY, DAY + 99))
    assert preview(Q, None, DAY, DEFAULT, every)[Rating.EASY] in range(low, high + 1)


def test_a_choice_that_the_fuzz_does_not_allow_is_not_kept():
    seeded = review(Q, None, Rating.EASY, DAY, DEFAULT)
    for chosen in (DAY - 1, DAY, DAY + 1, DAY + 90):
        assert review(Q, None, Rating.EASY, DAY, DEFAULT, chosen=chosen) == seeded


# Fuzz


def band(days: int, maximum: int) -> tuple[int, int]:
    """py-fsrs's bounds for an interval, from its own table."""
    delta = 1.0 + sum(
        r["factor"] * max(0.0, min(float(days), r["end"]) - r["start"]) for r in FUZZ_RANGES
    )
    high = min(round(days + delta), maximum)
    return min(max(2, round(days - delta)), high), high


@given(st.integers(3, 36_500), st.text(max_size=8), st.integers(1, 50))
def test_the_fuzz_stays_within_the_bands_of_py_fsrs(days, question, repetition):
    for maximum in (days, 365, 36_500):
        if days <= maximum:
            low, high = band(days, maximum)
            assert low <= fuzz(days, question, repetition, maximum) <= high


@pytest.mark.parametrize("days", [0, 1, 2])
def test_short_intervals_are_exact(days):
    assert {fuzz(days, f"q{n}", n, 365) for n in range(50)} == {days}


def test_cards_learned_together_do_not_stay_together():
    spread = {fuzz(30, f"pack/q{n}", 1, 365) for n in range(200)}
    low, high = band(30, 365)
    assert spread == set(range(low, high + 1))


def test_each_repetition_of_a_card_is_moved_anew():
    assert len({fuzz(100, Q, repetition, 365) for repetition in range(1, 30)}) > 5


def test_another_process_moves_a_card_to_the_same_day():
    shown = "print([fuzz(30, 'q', n, 365) for n in range(9)])"
    code = f"from quizapp.domain.schedule import fuzz; {shown}"
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert printed == {str([fuzz(30, "q", n, 365) for n in range(9)])}


def test_parameters_with_equal_content_have_equal_ids():
    assert Parameters().id == Parameters(retention=0.9).id == Parameters().id
    different = {
        Parameters().id,
        Parameters(retention=0.91).id,
        Parameters(maximum_days=366).id,
        Parameters(weights=(0.1,)).id,
    }
    assert len(different) == 4
    assert all(len(name) == 12 for name in different)
