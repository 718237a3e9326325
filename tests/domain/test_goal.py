"""What fits until the day, and what comes once more in the last fifth."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.domain.goal import Goal, Work, fit
from quizapp.domain.order import Candidate
from quizapp.domain.schedule import Parameters

TODAY = 20_000


def question(number: int, topic: str = "banks", concept: str = "") -> Candidate:
    return Candidate(f"q{number}", topic, (), 1, concept=concept)


def work(number: int, minutes: float = 1.0) -> Work:
    new = [question(n) for n in range(number)]
    return Work(new, [], {c.question: minutes for c in new}, Parameters())


@given(st.integers(1, 400), st.integers(0, 400), st.integers(0, 500), st.integers(0, 400))
def test_everything_planned_is_met_in_the_last_fifth(days, learned, due_in, place):
    goal = Goal(TODAY, TODAY + days, 30)
    fifth = goal.last_fifth
    assert fifth.stop == goal.day
    assert len(fifth) * 5 >= days > (len(fifth) - 1) * 5
    last = TODAY + learned % days
    due = last + 1 + due_in
    planned = goal.bring_forward(last, due, fifth[place % len(fifth)])
    assert planned <= due
    if due < goal.day or last >= fifth.start:
        assert planned == due
    else:
        assert planned in fifth
    assert goal.bring_forward(last, due, None) == due


def test_the_last_fifth_is_evenly_full_and_siblings_come_on_different_days():
    goal = Goal(TODAY, TODAY + 50, 30, ("banks",))
    deck = [question(n, concept=f"concept {n // 5}") for n in range(100)]
    days = goal.spread([*deck, question(100, "halo")])
    assert "q100" not in days
    counts = [list(days.values()).count(day) for day in goal.last_fifth]
    assert counts == [10] * 10
    for first in range(0, 100, 5):
        assert len({days[f"q{n}"] for n in range(first, first + 5)}) == 5


def test_with_time_enough_nothing_is_left_out_and_all_is_met_before_the_last_fifth():
    found = fit(work(100), Goal(TODAY, TODAY + 50, 60), TODAY)
    assert found.left_out == ()
    assert found.enough_day is None
    assert found.pace == 3  # 100 questions in 40 days


def test_what_the_minutes_do_not_suffice_for_is_left_out_and_what_would_suffice_does():
    goal = Goal(TODAY, TODAY + 50, 5)
    found = fit(work(100), goal, TODAY)
    assert 0 < len(found.new) < 100
    assert len(found.new) + len(found.left_out) == 100
    more = Goal(TODAY, goal.day, found.minutes)
    assert fit(work(100), more, TODAY).left_out == ()
    assert found.enough_day is not None
    assert fit(work(100), Goal(TODAY, found.enough_day, 5), TODAY).left_out == ()
    assert fit(work(100), Goal(TODAY, found.enough_day - 1, 5), TODAY).left_out != ()


@pytest.mark.parametrize("days", [1, 2, 3])
def test_a_day_that_is_near_leaves_no_room_for_chains_of_requirements(days):
    new = [Candidate(f"q{n}", "t", (f"q{n - 1}",) if n else (), 1) for n in range(10)]
    chain = Work(new, [], {c.question: 1.0 for c in new}, Parameters())
    found = fit(chain, Goal(TODAY, TODAY + days, 600), TODAY)
    assert len(found.new) <= max(1, days - 1)
