"""The day's queue: what is in it, in which order, and what an answer does to it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.domain.log.projection import Card
from quizapp.domain.order import Candidate
from quizapp.domain.queue import (
    REPEAT_AFTER,
    Item,
    Limits,
    Queue,
    Stage,
    answer,
    build,
    choose,
    drop,
    drop_done,
    is_unlocked,
    next_item,
    put_back,
    rerate,
    shorten,
    stage_of,
)
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import CardMemory

DAY = 20_000
AGAIN, HARD, GOOD, EASY = Rating
PLENTY = Limits(new=1000, reviews=1000)


def candidate(name: str, topic: str = "", requires: tuple[str, ...] = (), rev: int = 1):
    return Candidate(name, topic or f"topic-{name}", requires, rev)


def seen(name: str, due: int, last: int = DAY - 10, **more) -> Card:
    facts = {"first_day": last, "passed": True, "rev": 1}
    return Card(name, CardMemory(5.0, 5.0, last, due, 2, 0), **(facts | more))


def failed_today(name: str) -> Card:
    return seen(name, DAY + 1, DAY, again_day=DAY)


def queue(candidates, cards=(), limits: Limits = PLENTY, day: int = DAY) -> Queue:
    return build(candidates, {card.question: card for card in cards}, limits, day)


def run(session: Queue, ratings=lambda _item: GOOD) -> list[Item]:
    """What is asked, one after the other, until nothing is left."""
    asked: list[Item] = []
    while (item := next_item(session)) is not None:
        asked.append(item)
        session = answer(session, item, ratings(item))
        assert len(asked) < 500
    assert session.left == 0
    return asked


def names(items) -> list[str]:
    return [item.question for item in items]


def session_of(*topics: str) -> Queue:
    return Queue(tuple(Item(f"q{n}", topic, Stage.NEW) for n, topic in enumerate(topics)))


# What is asked on a day


@pytest.mark.parametrize(
    ("card", "stage"),
    [
        (None, Stage.NEW),
        (Card("q"), Stage.NEW),
        (Card("q", flagged=True), Stage.NEW),
        (seen("q", DAY), Stage.REVIEW),
        (seen("q", DAY - 30), Stage.REVIEW),
        (seen("q", DAY + 1), None),
        # answered today
        (seen("q", DAY + 3, DAY), None),
        (failed_today("q"), Stage.REPEAT),
        (seen("q", DAY - 5, DAY - 6, again_day=DAY - 6), Stage.REVIEW),
        (seen("q", DAY + 3, DAY - 1, again_day=DAY - 1), None),
        # answered "tomorrow": the clock was wrong then
        (seen("q", DAY + 3, DAY + 2), None),
        # marks
        (Card("q", suspended=True), None),
        (seen("q", DAY, suspended=True), None),
        (Card("q", buried_until=DAY + 1), None),
        (seen("q", DAY, buried_until=DAY + 1), None),
        (seen("q", DAY, buried_until=DAY), Stage.REVIEW),
        (Card("q", buried_until=DAY - 9), Stage.NEW),
        # a raised revision asks again, from the next day on
        (seen("q", DAY + 90, rev=0), Stage.REVIEW),
        (seen("q", DAY + 90, DAY, rev=0), None),
        (seen("q", DAY + 90, rev=2), None),
        (seen("q", DAY + 90, rev=0, suspended=True), None),
    ],
)
def test_a_question_is_asked_as_new_review_repeat_or_not_at_all(card, stage):
    assert stage_of(candidate("q"), card, DAY) is stage


@pytest.mark.parametrize(
    ("cards", "open_"),
    [
        ([], False),
        ([seen("need", DAY + 3)], False),
        ([seen("need", DAY + 3), seen("also", DAY + 3, passed=False)], False),
        ([seen("need", DAY + 3), seen("also", DAY + 3)], True),
        ([seen("need", DAY + 3, suspended=True), seen("also", DAY - 3)], True),
    ],
)
def test_a_question_waits_until_all_it_requires_was_right_once(cards, open_):
    waiting = candidate("q", requires=("need", "also", "gone"))
    known = frozenset({"q", "need", "also"})
    assert is_unlocked(waiting, {c.question: c for c in cards}, known) is open_


def test_a_locked_question_is_not_in_the_queue_and_comes_when_it_is_open():
    deck = [candidate("a"), candidate("b", requires=("a",))]
    assert names(run(queue(deck))) == ["a"]
    assert names(run(queue(deck, [seen("a", DAY + 3)]))) == ["b"]


def test_a_review_is_not_held_back_by_what_it_requires():
    deck = [candidate("a"), candidate("b", requires=("a",))]
    assert set(names(run(queue(deck, [seen("b", DAY)])))) == {"a", "b"}


# The order


def test_the_longest_overdue_review_comes_first():
    deck = [candidate(name) for name in "abcd"]
    cards = [seen("a", DAY), seen("b", DAY - 9), seen("c", DAY - 2), seen("d", DAY - 3)]
    assert names(queue(deck, cards).waiting) == ["b", "d", "c", "a"]


def test_when_reviews_are_limited_the_longest_overdue_are_kept():
    deck = [candidate(name) for name in "abcd"]
    cards = [seen("a", DAY), seen("b", DAY - 9), seen("c", DAY - 2), seen("d", DAY - 3)]
    assert names(queue(deck, cards, Limits(new=9, reviews=2)).waiting) == ["b", "d"]


@pytest.mark.parametrize(
    ("new", "reviews", "expected"),
    [
        (2, 3, (2, 3)),
        (0, 3, (0, 3)),
        (2, 0, (2, 0)),
        (0, 0, (0, 0)),
        (-4, -1, (0, 0)),
        (99, 99, (5, 4)),
    ],
)
def test_limits_bound_new_questions_and_reviews(new, reviews, expected):
    deck = [candidate(f"n{i}") for i in range(5)] + [candidate(f"r{i}") for i in range(4)]
    cards = [seen(f"r{i}", DAY) for i in range(4)]
    stages = [item.stage for item in queue(deck, cards, Limits(new, reviews)).waiting]
    assert (stages.count(Stage.NEW), stages.count(Stage.REVIEW)) == expected


def test_a_pack_with_a_limit_of_its_own_brings_no_more_new_questions_than_that():
    deck = [candidate(f"{pack}/{n}") for n in range(4) for pack in ("a", "b", "c")]
    reviews = [seen("a/0", DAY), seen("b/0", DAY)]
    limits = Limits(new=6, reviews=9, new_of={"a": 1, "b": 0, "absent": 3})
    waiting = queue(deck, reviews, limits).waiting
    new = sorted(item.question for item in waiting if item.stage is Stage.NEW)
    assert new == ["a/1", "c/0", "c/1", "c/2", "c/3"]
    assert {"a/0", "b/0"} <= set(names(waiting))
    assert len(queue(deck, (), Limits(2, 0, {"c": 4})).waiting) == 2


def test_a_sibling_over_its_packs_limit_does_not_keep_another_from_its_place():
    deck = [replace(candidate(f"{pack}/1"), concept="both") for pack in ("a", "b")]
    assert names(queue(deck, limits=Limits(9, 9, {"a": 0})).waiting) == ["b/1"]


def test_repeats_are_beyond_the_limits_and_come_first():
    deck = [candidate("r"), candidate("f")]
    found = queue(deck, [seen("r", DAY), failed_today("f")], Limits(0, 1))
    first = next_item(found)
    assert first == Item("f", "topic-f", Stage.REPEAT)
    assert names(run(found)) == ["f", "r"]


def test_new_questions_keep_the_order_of_the_candidates():
    deck = [candidate(name) for name in "bdac"]
    assert names(queue(deck, limits=Limits(3, 9)).waiting) == ["b", "d", "a"]


@given(st.integers(0, 12), st.integers(0, 12))
def test_new_questions_are_spread_among_the_reviews(reviews, fresh):
    deck = [candidate(f"r{i:02}") for i in range(reviews)]
    deck += [candidate(f"n{i:02}") for i in range(fresh)]
    cards = [seen(f"r{i:02}", DAY - 20 + i) for i in range(reviews)]
    waiting = names(queue(deck, cards).waiting)
    assert [n for n in waiting if n[0] == "r"] == [f"r{i:02}" for i in range(reviews)]
    assert [n for n in waiting if n[0] == "n"] == [f"n{i:02}" for i in range(fresh)]
    # In every beginning of the queue both have their share, to within one question.
    for length in range(1, len(waiting) + 1):
        part = sum(n[0] == "n" for n in waiting[:length])
        assert abs(part - length * fresh / len(waiting)) <= 1


# Topics


def available(session: Queue) -> set[str]:
    """Topics of what could be asked now."""
    ready = {item.topic for after, item in session.returning if after <= session.asked}
    return ready | {item.topic for item in session.waiting}


@given(
    st.lists(st.sampled_from("ABC"), max_size=14),
    st.lists(st.sampled_from(Rating), min_size=60, max_size=60),
)
def test_a_topic_does_not_follow_itself_while_another_is_available(topics, ratings):
    session, previous = session_of(*topics), None
    for rating in [*ratings, *[GOOD] * 20]:
        item = next_item(session)
        if item is None:
            break
        if item.topic == previous:
            assert available(session) <= {previous}
        previous = item.topic
        session = answer(session, item, rating)
    assert next_item(session) is None


def test_topics_alternate_as_long_as_they_can():
    asked = run(session_of("A", "A", "A", "B", "B", "C"))
    assert [item.topic for item in asked] == ["A", "B", "A", "B", "A", "C"]


# Repeats within the session


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        (0, "x x"),
        (1, "x 1 x"),
        (2, "x 1 2 x"),
        (3, "x 1 2 3 x"),
        (5, "x 1 2 3 x 4 5"),
    ],
)
def test_what_was_wrong_returns_after_three_others_or_at_the_end(others, expected):
    session = Queue(
        tuple(Item(str(n) if n else "x", f"t{n}", Stage.NEW) for n in range(others + 1))
    )
    wrong = iter([AGAIN])
    asked = run(session, lambda item: next(wrong, GOOD) if item.question == "x" else GOOD)
    assert names(asked) == expected.split()
    assert [item.stage for item in asked if item.question == "x"] == [Stage.NEW, Stage.REPEAT]


def test_three_others_is_the_number_that_is_documented():
    assert REPEAT_AFTER == 3


def test_what_is_wrong_again_and_again_keeps_no_other_question_waiting():
    rest, asked = session_of(*"ABCDABCDABCD"), list[str]()
    for _ in range(36):
        item = next_item(rest)
        asked.append(item.question)
        rest = answer(rest, item, AGAIN)
    assert len(set(asked)) == 12
    assert len(set(asked[:12])) > 6
    assert max(map(asked.count, asked)) <= 5


def test_a_repeat_on_the_topic_just_asked_waits_for_one_more():
    session = Queue(
        tuple(
            Item(name, topic, Stage.NEW)
            for name, topic in [("x", "A"), ("1", "B"), ("2", "C"), ("3", "A"), ("4", "B")]
        )
    )
    wrong = iter([AGAIN])
    asked = run(session, lambda item: next(wrong, GOOD) if item.question == "x" else GOOD)
    assert names(asked) == ["x", "1", "2", "3", "4", "x"]


@given(
    st.lists(st.sampled_from("ABC"), min_size=1, max_size=10),
    st.lists(st.sampled_from(Rating), max_size=40),
)
def test_every_question_is_asked_until_it_is_right_and_no_longer(topics, ratings):
    given_ratings = iter(ratings)
    history: dict[str, list[Rating]] = {}

    def rate(item: Item) -> Rating:
        rating = next(given_ratings, GOOD)
        history.setdefault(item.question, []).append(rating)
        return rating

    run(session_of(*topics), rate)
    assert history.keys() == {f"q{n}" for n in range(len(topics))}
    for found in history.values():
        assert all(rating is AGAIN for rating in found[:-1])
        assert found[-1] is not AGAIN


def test_asking_twice_gives_the_same():
    session = session_of("A", "B", "A")
    assert next_item(session) == next_item(session)


# Overrides, undo, drops


def test_an_override_to_again_brings_back_and_from_again_takes_out():
    session = session_of("A", "B")
    item = session.waiting[0]
    good = answer(session, item, GOOD)
    assert rerate(good, item, AGAIN) == answer(session, item, AGAIN)
    assert rerate(answer(session, item, AGAIN), item, HARD) == good


def test_what_was_undone_is_next_again_and_counts_back():
    session = session_of("A", "A", "A")
    item = session.waiting[0]
    for rating in (GOOD, AGAIN):
        after = put_back(answer(session, item, rating), item, answer=True)
        assert next_item(after) == item
        assert after.asked == session.asked
        assert after.left == session.left


def test_what_was_unburied_is_next_again_and_counts_nothing():
    session = answer(session_of("A", "B", "C"), Item("q0", "A", Stage.NEW), GOOD)
    item = session.waiting[-1]
    after = put_back(drop(session, item.question), item, answer=False)
    assert next_item(after) == item
    assert (after.asked, after.left) == (session.asked, session.left)


def test_a_dropped_question_is_gone_from_all_parts_of_the_queue():
    session = answer(session_of("A", "B"), Item("q0", "A", Stage.NEW), AGAIN)
    assert drop(session, "q0").left == 1
    assert drop(session, "q1").left == 1
    assert drop(drop(session, "q0"), "q1").left == 0
    assert drop(session, "unknown") == session


@pytest.mark.parametrize(
    ("limit", "expected"), [(0, []), (1, ["f"]), (2, ["f", "a"]), (9, ["f", "a", "b"])]
)
def test_a_shortened_queue_keeps_repeats_first(limit, expected):
    found = queue([candidate(n) for n in "abf"], [failed_today("f")])
    assert names(run(shorten(found, limit))) == expected


def test_a_restarted_program_rebuilds_the_rest_of_the_day():
    """The cards after some answers give the queue that was left."""
    deck = [candidate(name) for name in "abcde"]
    first = queue(deck, limits=Limits(4, 9))
    assert names(first.waiting) == ["a", "b", "c", "d"]
    cards = [seen("a", DAY + 3, DAY), failed_today("b")]
    again = queue(deck, cards, Limits(new=4 - 2, reviews=9))
    assert sorted(names(run(again))) == ["b", "c", "d"]


CHOSEN = [candidate(name, "same") for name in "dcba"]
EVERYTHING = frozenset(c.question for c in CHOSEN)
CARDS = {
    card.question: card
    for card in (seen("d", DAY + 9), seen("c", DAY), failed_today("b"), Card("z"))
}


def test_what_is_chosen_is_asked_in_that_order_as_scheduled_where_it_is_new_or_due():
    asked = run(choose(CHOSEN, CARDS, DAY))
    assert [(item.question, item.stage.value) for item in asked] == [
        ("d", "practice"),
        ("c", "review"),
        ("b", "repeat"),
        ("a", "new"),
    ]


def test_practice_is_all_practice_and_does_not_return_after_a_failure():
    asked = run(choose(CHOSEN, CARDS, DAY, EVERYTHING), lambda _: AGAIN)
    assert [(item.question, item.stage) for item in asked] == [
        (name, Stage.PRACTICE) for name in "dcba"
    ]


def test_what_was_done_elsewhere_leaves_the_queue():
    practiced = choose(CHOSEN, CARDS, DAY, EVERYTHING)
    assert drop_done(practiced, CHOSEN, CARDS, DAY) == practiced
    assert drop_done(practiced, CHOSEN[1:], CARDS, DAY).left == 3
    scheduled = build(CHOSEN, CARDS, PLENTY, DAY)
    later = CARDS | {"a": seen("a", DAY + 4, DAY), "b": seen("b", DAY + 4, DAY)}
    left = drop_done(scheduled, CHOSEN, later, DAY)
    assert [item.question for item in run(left)] == ["c"]


def test_what_builds_on_a_concept_waits_until_a_question_introduces_it():
    first = Candidate("a", "t", ("z",), 1, concept="base")
    later = Candidate("b", "u", (), 1, concept="more", builds_on=("base",))
    last = Candidate("c", "v", (), 1, builds_on=("more", "not in the deck"))
    locks = candidate("z")
    assert names(run(queue([first, later, last, locks]))) == ["z"]
    assert names(run(queue([first, later, last, locks], [seen("z", DAY + 9)]))) == ["a", "b", "c"]
    assert names(run(queue([later, last]))) == ["b", "c"]


# Siblings


def siblings(*names_: str) -> list[Candidate]:
    return [Candidate(name, "topic", (), 1, concept="swizzle") for name in names_]


def test_of_siblings_the_longest_overdue_is_asked_and_none_is_lost():
    """Day after day, until each was asked once; nothing else of the concept comes on those days."""
    deck = siblings("a", "b", "c", "new")
    cards = {card.question: card for card in (seen("a", DAY), seen("b", DAY - 2), seen("c", DAY))}
    asked = []
    for day in range(DAY, DAY + 4):
        today = names(run(build(deck, cards, PLENTY, day)))
        assert len(today) == 1
        asked += today
        cards[today[0]] = seen(today[0], day + 100, day)
    assert asked == ["b", "a", "c", "new"]


def test_what_was_answered_today_takes_the_day_of_its_concept_also_out_of_a_narrowed_session():
    deck = siblings("a", "b")
    cards = {"a": seen("a", DAY + 5, DAY), "b": seen("b", DAY)}
    assert names(run(build(deck, cards, PLENTY, DAY))) == []
    narrowed = build(deck[1:], cards, PLENTY, DAY, concepts={"a": "swizzle", "b": "swizzle"})
    assert names(run(narrowed)) == []


def test_a_sibling_that_waits_leaves_its_place_within_the_limits_to_another():
    deck = [*siblings("a", "b"), candidate("c"), candidate("d")]
    cards = [seen("a", DAY - 3), seen("b", DAY - 2), seen("c", DAY)]
    assert names(queue(deck, cards, Limits(new=0, reviews=2)).waiting) == ["a", "c"]
    assert names(queue(siblings("x", "y") + deck[3:], (), Limits(new=2, reviews=0)).waiting) == [
        "x",
        "d",
    ]


def test_what_was_wrong_today_returns_and_its_sibling_does_not():
    session = queue(siblings("a", "b"), [failed_today("a"), seen("b", DAY)])
    assert names(run(session)) == ["a"]
