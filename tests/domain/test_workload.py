"""What other questions ask of a day: counted on hand-made decks."""

from __future__ import annotations

from quizapp.domain.log.projection import Card
from quizapp.domain.order import Candidate
from quizapp.domain.schedule import CardMemory, Parameters
from quizapp.domain.workload import (
    MOST_SIBLINGS,
    find_load,
    find_usual,
    group_by_concept,
    leave_for_later,
)


def question(name: str, concept: str = "") -> Candidate:
    return Candidate(name, "topic", (), 1, concept=concept)


def due(name: str, day: int, *, suspended: bool = False) -> Card:
    return Card(name, CardMemory(5.0, 5.0, day - 5, day, 1, 0), suspended=suspended)


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


def test_reviews_with_fuzz_left_wait_for_a_day_with_room_where_one_has_too_many_minutes():
    """A kernel that was forgotten keeps its day; what has the longest fuzz waits, as if done."""
    long = {f"long{n}": Card(f"long{n}", CardMemory(60.0, 5.0, 40, 100, 3, 0)) for n in range(20)}
    cards = long | {"kernel": Card("kernel", CardMemory(1.0, 5.0, 99, 100, 3, 1))}

    def waits(usual: float, easy: range = range(0)) -> frozenset[str]:
        found = (cards.values(), 100, usual, lambda name: 12.0 if name == "kernel" else 1.0)
        return leave_for_later(*found, parameters=Parameters(), easy=easy)

    later = waits(20.0)
    assert later <= long.keys()
    assert len(later) == 10
    done = min(long.keys() - later)
    cards[done] = Card(done, CardMemory(90.0, 5.0, 100, 190, 4, 0))
    assert waits(20.0) == later
    assert waits(40.0) == waits(20.0, easy=range(101, 110)) == frozenset()
    assert find_usual((day, 20.0) for day in range(6)) is None
    assert find_usual((day // 2, 20.0) for day in range(14)) == 40.0
