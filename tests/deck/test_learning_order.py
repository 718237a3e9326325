"""Concepts come before what builds on them, whatever a beginner gets wrong."""

from __future__ import annotations

import random
from graphlib import TopologicalSorter

import pytest
import yaml

from quizapp.deck.ordering import candidate
from quizapp.domain.log.projection import Card
from quizapp.domain.order import Candidate
from quizapp.domain.queue import Limits, Stage, answer, build, next_item
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import CardMemory
from quizapp.system.paths import shipped_content

CONTENT = shipped_content()
PER_DAY = 10


@pytest.fixture(scope="module")
def candidates(deck) -> list[Candidate]:
    """All questions, in the default order."""
    return [candidate(entry) for entry in deck.entries.values()]


def test_every_concept_that_is_named_is_one_of_the_deck_and_none_builds_on_itself(candidates):
    concepts = {one.concept for one in candidates}
    for path in sorted(CONTENT.glob("*/pack.yaml")):
        builds_on = yaml.safe_load(path.read_text("utf-8")).get("builds_on", {})
        named = {*builds_on, *(one for many in builds_on.values() for one in many)}
        assert named - concepts == set(), path
        TopologicalSorter(builds_on).prepare()


def test_the_default_order_introduces_each_concept_before_what_builds_on_it(candidates):
    met: set[str] = set()
    for one in candidates:
        assert set(one.builds_on) <= met, one
        met.add(one.concept)


@pytest.mark.parametrize("seed", range(3))
def test_a_beginner_never_meets_what_builds_on_a_concept_not_met(candidates, seed):
    """Each is right more often where every concept that a question builds on was answered right."""
    rng = random.Random(seed)
    by_id = {one.question: one for one in candidates}
    cards: dict[str, Card] = {}
    met: set[str] = set()
    right: set[str] = set()
    day = 0
    while len(cards) < len(candidates):
        day += 1
        queue = build(candidates, cards, Limits(PER_DAY, 3 * PER_DAY), day)
        while (item := next_item(queue)) is not None:
            one = by_id[item.question]
            if item.stage is Stage.NEW:
                assert set(one.builds_on) <= met, (day, one)
                met.add(one.concept)
            passed = rng.random() < (0.85 if right.issuperset(one.builds_on) else 0.4)
            if passed:
                right.add(one.concept)
            passed_once = passed or (item.question in cards and cards[item.question].passed)
            memory = CardMemory(1.0, 5.0, day, day + (60 if passed else 1), 1, 0)
            cards[item.question] = Card(item.question, memory, day, passed_once)
            queue = answer(queue, item, Rating.GOOD if passed else Rating.AGAIN)
        assert day < len(candidates)
