"""How long the deck takes: no promise that limits, locks and the calendar do not keep."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.domain.log.projection import Card
from quizapp.domain.order import Candidate
from quizapp.domain.planning.plan import Plan, days_to_meet, find_waiting, plan, to_meet
from quizapp.domain.schedule import CardMemory

TODAY = 20_000


def candidate(name: str, *requires: str) -> Candidate:
    return Candidate(name, "topic", requires, 1)


def free(n: int) -> list[Candidate]:
    return [candidate(f"q{i}") for i in range(n)]


def names(candidates: list[Candidate]) -> set[str]:
    return {found.question for found in candidates}


def seen(name: str, **more: bool) -> Card:
    return Card(name, CardMemory(5.0, 5.0, TODAY - 9, TODAY, 2, 0), **({"passed": True} | more))


def meet(deck: list[Candidate], *cards: Card, known: str = "") -> set[str]:
    everything = frozenset(names(deck)) | frozenset(known.split())
    return names(to_meet(deck, {card.question: card for card in cards}, everything))


def test_what_was_seen_or_is_suspended_is_not_to_be_met():
    deck = [candidate(name) for name in "abcde"]
    cards = [seen("a"), Card("b", suspended=True), Card("c", buried_until=TODAY + 1), Card("d")]
    assert meet(deck, *cards) == set("cde")


def test_what_can_never_be_unlocked_is_not_to_be_met():
    deck = [candidate("a"), candidate("b", "a"), candidate("c", "b"), candidate("d", "gone")]
    assert meet(deck) == set("abcd")
    assert meet(deck, Card("a", suspended=True)) == {"d"}
    assert meet(deck, seen("a", suspended=True)) == set("bcd")
    assert meet(deck, seen("a", passed=False)) == set("bcd")
    assert meet(deck, seen("a", passed=False, suspended=True)) == {"d"}
    assert meet(deck, known="gone") == set("abc")  # held back: its Python may not run


def test_what_waits_for_other_topics_is_counted_and_these_are_named():
    """Also those that only what is required requires; what was answered right is not waited for."""
    deck = [
        Candidate(name, topic, tuple(requires), 1)
        for name, topic, requires in (
            ("a", "own", ""), ("b", "own", "c"), ("c", "near", "d"), ("d", "far", ""),
            ("e", "own", "b"), ("f", "own", "a"),
        )
    ]  # fmt: skip
    own, known = [c for c in deck if c.topic == "own"], frozenset("abcdef")
    assert find_waiting(own, deck, {}, known) == (2, ("far", "near"))
    assert find_waiting(own, deck, {"d": seen("d")}, known) == (2, ("near",))
    assert find_waiting(own, deck, {"c": seen("c")}, known) == (0, ())
    assert find_waiting(deck, deck, {}, known) == (0, ())


@pytest.mark.parametrize(
    ("questions", "pace", "days"), [(0, 10, 0), (1, 10, 1), (10, 10, 1), (11, 10, 2), (243, 10, 25)]
)
def test_a_pace_takes_so_many_days(questions, pace, days):
    assert days_to_meet(free(questions), pace) == days


def test_what_requires_another_question_comes_a_day_later():
    chain = [candidate("a"), candidate("b", "a"), candidate("c", "b")]
    assert days_to_meet(chain, 100) == 3
    assert days_to_meet([*chain, *free(9)], 4) == 3
    assert days_to_meet([*free(9), *chain], 4) == 5
    circle = [candidate("a", "b"), candidate("b", "a")]
    assert days_to_meet(circle, 5) == 0


@given(st.integers(0, 60), st.integers(1, 20))
def test_without_locks_it_is_a_division(questions, pace):
    assert days_to_meet(free(questions), pace) == -(-questions // pace)


def test_the_plan_of_the_issue():
    """243 questions at 10 per day, begun on 22 November; the interview is on 10 December."""
    found = plan(free(243), 10, TODAY, TODAY + 18)
    assert found == Plan(243, 10, TODAY + 24, TODAY + 18, enough=14)
    assert not found.in_time


@pytest.mark.parametrize(
    ("interview", "in_time", "enough"),
    [
        (TODAY + 3, True, 4),  # today, tomorrow, the day after
        (TODAY + 2, False, 5),
        (TODAY + 1, False, 10),
        (TODAY, False, None),
        (TODAY + 100, True, 1),
    ],
)
def test_only_days_before_the_interview_count(interview, in_time, enough):
    found = plan(free(10), 4, TODAY, interview)
    assert (found.in_time, found.enough) == (in_time, enough)


def test_no_pace_is_named_that_locks_forbid():
    chain = [candidate("a"), candidate("b", "a"), candidate("c", "b")]
    assert plan(chain, 1, TODAY, TODAY + 2).enough is None
    assert plan(chain, 1, TODAY, TODAY + 3).enough == 1


def test_an_interview_that_is_over_is_none():
    assert plan(free(10), 4, TODAY, TODAY - 1) == plan(free(10), 4, TODAY, None)
    assert plan(free(10), 4, TODAY, None) == Plan(10, 4, TODAY + 2)


def test_without_new_questions_there_is_no_last_day():
    assert plan(free(10), 0, TODAY, TODAY + 5) == Plan(10, 0, None, TODAY + 5, 2)


@given(st.integers(1, 40), st.integers(1, 30))
def test_the_named_pace_is_the_least_that_is_enough(questions, days):
    deck = free(questions)
    enough = plan(deck, 1, TODAY, TODAY + days).enough
    assert enough is not None
    assert days_to_meet(deck, enough) <= days
    assert enough == 1 or days_to_meet(deck, enough - 1) > days
