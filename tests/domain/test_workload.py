"""What other questions ask of a day: counted on hand-made decks."""

from __future__ import annotations

from quizapp.domain.order import Candidate
from quizapp.domain.projection import Card
from quizapp.domain.schedule import Memory
from quizapp.domain.workload import MOST_SIBLINGS, find_load, group_by_concept


def question(name: str, concept: str = "") -> Candidate:
    return Candidate(name, "topic", (), 1, concept=concept)


def due(name: str, day: int, *, suspended: bool = False) -> Card:
    return Card(name, Memory(5.0, 5.0, day - 5, day, 1, 0), suspended=suspended)


def test_questions_of_one_concept_are_siblings_unless_they_are_alone_or_too_many():
    pair = [question("a", "swizzle"), question("b", "swizzle")]
    many = [question(f"m{n}", "everything") for n in range(MOST_SIBLINGS + 1)]
    others = [question("c", "halo"), question("d"), question("e")]
    assert group_by_concept([*pair, *many, *others]) == {"a": "swizzle", "b": "swizzle"}


def test_the_load_is_that_of_the_others_which_are_asked():
    deck = [question("a", "swizzle"), question("b", "swizzle"), question("c"), question("d")]
    cards = {card.question: card for card in (due("a", 9), due("b", 7), due("c", 7))}
    cards["d"] = due("d", 7, suspended=True)
    load = find_load("a", deck, cards, {"b": 12.0, "c": 0.5}.__getitem__, {8})
    assert load.minutes == {7: 12.5}
    assert load.easy == {8}
    assert load.siblings == {7}
    assert find_load("c", deck, cards, lambda _: 1.0).siblings == frozenset()
