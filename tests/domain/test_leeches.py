"""Which questions help with one that is forgotten again and again."""

from __future__ import annotations

from quizapp.domain.leeches import find_easier
from quizapp.domain.order import Candidate


def question(name: str, difficulty: int, concept: str = "swizzle", requires=()) -> Candidate:
    return Candidate(name, "topic", requires, 1, difficulty=difficulty, concept=concept)


def test_what_it_requires_comes_first_then_its_siblings_that_are_no_harder_easiest_first():
    leech = question("leech", 3, requires=("needed", "gone"))
    needed, same, easy = question("needed", 3, "rows"), question("same", 3), question("easy", 1)
    others = [question("hard", 4), question("other", 1, "halo")]
    assert find_easier("leech", [leech, same, easy, *others, needed]) == ("needed", "easy")
    assert find_easier("leech", [question("leech", 3), same, easy, *others]) == ("easy", "same")
    assert find_easier("leech", [question("leech", 3), *others]) == ()
