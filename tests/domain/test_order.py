"""The default order: whatever a deck holds, kinds alternate, easy comes first, nothing is lost."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from quizapp.domain.order import KINDS_BY_EFFORT, Candidate, arrange, interleave, next_apart
from quizapp.domain.question import KINDS


@st.composite
def decks(draw: st.DrawFn, *, requires: bool = False) -> list[Candidate]:
    """Some questions, a few of which require some that are listed before or after them.

    Hypothesis chooses how many, and a seed: 160 choices of its own take 20 times as long.
    """
    size, rng = draw(st.integers(0, 40)), Random(draw(st.integers(0, 1 << 32)))
    names = [f"q{n:02}" for n in range(size)]
    rng.shuffle(names)
    deck = []
    for n, name in enumerate(names):
        needed = rng.sample(names[:n], rng.randint(0, min(n, 2))) if requires else []
        kind = rng.choice(KINDS_BY_EFFORT[:4])
        topic, level = rng.choice("ABCD"), rng.randint(1, 5)
        deck.append(Candidate(name, topic, tuple(sorted(needed)), 1, kind, level))
    return sorted(deck, key=lambda candidate: candidate.question)


def can_be_asked(rest: list[Candidate]) -> list[Candidate]:
    """Those of the rest that require none of it."""
    left = {candidate.question for candidate in rest}
    return [candidate for candidate in rest if left.isdisjoint(candidate.requires)]


def test_every_kind_has_a_place():
    assert set(KINDS_BY_EFFORT) == set(KINDS)


@given(decks(requires=True))
def test_every_question_is_there_once_and_after_all_it_requires(deck):
    order = arrange(deck)
    assert Counter(order) == Counter(deck)
    places = {candidate.question: place for place, candidate in enumerate(order)}
    for candidate in order:
        assert all(places[needed] < places[candidate.question] for needed in candidate.requires), (
            candidate
        )


@given(decks(), st.randoms(use_true_random=False))
def test_a_question_comes_after_the_first_of_each_concept_it_builds_on(deck, rng):
    names = [candidate.question for candidate in deck]
    deck = [
        replace(
            candidate,
            concept=names[place // 2],
            builds_on=tuple(rng.sample(names[: place // 2], min(place // 2, 2))),
        )
        for place, candidate in enumerate(deck)
    ]
    met: set[str] = set()
    for candidate in arrange(deck):
        assert met.issuperset(candidate.builds_on)
        met.add(candidate.concept)


@given(decks(requires=True))
def test_no_kind_follows_itself_while_another_can_be_asked(deck):
    order = arrange(deck)
    for place, (before, after) in enumerate(pairwise(order), 1):
        if before.kind == after.kind:
            assert {c.kind for c in can_be_asked(order[place:])} == {before.kind}


@given(decks())
def test_the_first_questions_are_the_easiest_of_each_kind(deck):
    kinds = {candidate.kind for candidate in deck}
    first = arrange(deck)[: len(kinds)]
    assert {candidate.kind for candidate in first} == kinds
    for shown in first:
        assert shown.difficulty == min(c.difficulty for c in deck if c.kind == shown.kind)


@given(decks())
def test_within_a_kind_and_topic_it_only_gets_harder(deck):
    levels: dict[tuple[str, str], int] = {}
    for candidate in arrange(deck):
        same = candidate.kind, candidate.topic
        assert levels.get(same, 0) <= candidate.difficulty
        levels[same] = candidate.difficulty


@given(decks(), st.data())
def test_a_part_of_the_order_keeps_kinds_apart_as_well(deck, data):
    """What was seen, suspended or is locked is missing on a real day."""
    order = arrange(deck)
    kept = [candidate for candidate in order if data.draw(st.booleans())]
    part = list(interleave(kept))
    assert Counter(part) == Counter(kept)
    for place, (before, after) in enumerate(pairwise(part), 1):
        assert before.kind != after.kind or {c.kind for c in part[place:]} == {before.kind}


def test_each_kind_lasts_until_the_end():
    """Kinds advance at the same rate: in each half stands half of each."""
    sizes = {"choice": 40, "number": 30, "kernel": 20, "recall": 10}
    deck = [
        Candidate(f"{kind}{n}", f"t{n % 7}", (), 1, kind, 1 + 4 * n // size)
        for kind, size in sizes.items()
        for n in range(size)
    ]
    half = Counter(candidate.kind for candidate in arrange(deck)[:50])
    for kind, size in sizes.items():
        assert abs(half[kind] - size / 2) <= 2, kind


def test_topics_alternate_where_the_kinds_allow_it():
    deck = [Candidate(f"{k}{t}{n}", t, (), 1, k) for n in range(9) for k in "xyz" for t in "ABC"]
    order = arrange(deck)
    assert not [a for a, b in pairwise(order) if a.topic == b.topic]


def test_questions_that_require_one_another_are_not_lost():
    deck = [Candidate(name, "A", ("b" if name == "a" else "a",), 1, "choice") for name in "ab"]
    assert Counter(arrange(deck)) == Counter(deck)


def test_the_next_is_the_first_that_differs_most():
    last, *items = (
        Candidate(f"{kind}{topic}", topic, (), 1, kind)
        for kind, topic in ("xA", "xA", "xB", "yA", "zB")
    )
    assert next_apart(items, last) == items[3]
    assert next_apart(items[:3], last) == items[2]
    assert next_apart(items[:2], last) == items[1]
    assert next_apart(items[:1], last) == items[0]
    assert next_apart(items, None) == items[0]
    assert next_apart([], last) is None
