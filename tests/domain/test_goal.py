"""What comes once more in the last fifth of a plan."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quizapp.domain.goal import Goal
from quizapp.domain.order import Candidate

TODAY = 20_000


def question(number: int, topic: str = "banks", concept: str = "") -> Candidate:
    return Candidate(f"q{number}", topic, (), 1, concept=concept)


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
