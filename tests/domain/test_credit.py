"""What an answer of a mock interview counts: most if one says how sure one is, less with hints."""

from __future__ import annotations

import pytest

from quizapp.domain.credit import credit_of, pays_from, stakes_of
from quizapp.domain.grading import Grade, guess_score
from quizapp.domain.question import AskedFact, Choice, FactChoice, Number, Option, Recall
from quizapp.domain.rating import Confidence, Effort
from tests.domain.test_attempt import INDEX

COMMON = {"id": "q", "topic": "t", "concept": "c", "difficulty": 1, "prompt": "p",
          "explanation": "e", "sources": ("s",)}  # fmt: skip
NUMBER = Number(**COMMON, answer=1.0)
FOUR = Choice(**COMMON, options=(Option("a", correct=True), *map(Option, "bcd")))
TWO_OF_FIVE = Choice(
    **COMMON,
    options=(*(Option(each, correct=True) for each in "ab"), *map(Option, "cde")),
    several=True,
)
RIGHT, WRONG = Grade(correct=True, score=1.0), Grade(correct=False, score=0.0)


def expect(sure: float, says: Confidence | None, chance: float) -> float:
    """What an answer counts on average that is right with this probability."""
    right, wrong = stakes_of(says, chance)
    return sure * right - (1 - sure) * wrong


@pytest.mark.parametrize(
    ("sure", "chance", "best"),
    [
        (0.05, 0.0, Confidence.GUESS),
        (0.30, 0.0, Confidence.GUESS),
        (0.30, 0.25, Confidence.GUESS),
        (0.40, 0.0, Confidence.FAIRLY),
        (0.40, 0.25, Confidence.FAIRLY),
        (0.70, 0.25, Confidence.FAIRLY),
        (0.72, 0.0, Confidence.CERTAIN),
        (0.72, 0.25, Confidence.CERTAIN),
        (1.0, 0.0, Confidence.CERTAIN),
    ],
)
def test_to_say_how_sure_one_is_counts_most_on_average(sure, chance, best):
    assert max(Confidence, key=lambda says: expect(sure, says, chance)) is best
    assert best is Confidence.GUESS or sure >= pays_from(best)


@pytest.mark.parametrize(
    "question", [NUMBER, FOUR, TWO_OF_FIVE], ids=["number", "four", "two of five"]
)
def test_guesses_win_nothing_whatever_is_said(question):
    chance = guess_score(question) if isinstance(question, Choice) else 0.0
    for says in (None, *Confidence):
        assert expect(chance, says, chance) <= 1e-9
        assert stakes_of(says, chance).wrong <= 1


def test_a_guess_counts_nothing_and_a_confident_error_costs_most():
    def count(grade: Grade, says: Confidence | None) -> float:
        return credit_of(FOUR, grade, Effort(confidence=says), 0.25)

    assert [count(RIGHT, says) for says in (*Confidence, None)] == [0, 0.8, 1, 1]
    assert [count(WRONG, says) for says in (*Confidence, None)] == [0, -0.5, -1, -0.4]
    assert [credit_of(NUMBER, each, Effort(), 0.0) for each in (RIGHT, WRONG)] == [1, -0.4]


def test_a_hint_costs_a_share_and_giving_up_nothing():
    sure = Confidence.CERTAIN
    assert credit_of(NUMBER, RIGHT, Effort(hints=2, confidence=sure), 0.0) == 0.6
    assert credit_of(NUMBER, RIGHT, Effort(hints=9, confidence=sure), 0.0) == 0
    assert credit_of(NUMBER, WRONG, Effort(hints=2, confidence=sure), 0.0) == -1
    assert credit_of(NUMBER, WRONG, Effort(gave_up=True), 0.0) == 0


def test_facts_to_ask_for_count_by_how_sure_one_is_in_proportion():
    facts = tuple(AskedFact("q", "a", "why", matters=each < 2) for each in range(4))
    asked = FactChoice(**COMMON, options=FOUR.options, several=True, facts=facts)
    part = Grade(correct=False, score=0.75)
    counts = [credit_of(asked, part, Effort(confidence=says), 0.0) for says in (*Confidence, None)]
    assert counts == pytest.approx([0, 0.475, 0.5, 0.65])


def test_code_counts_its_grade():
    assert credit_of(INDEX, Grade(correct=True, score=0.7), Effort(hints=1), 0.0) == 0.56
    assert credit_of(INDEX, WRONG, Effort(failures=3), 0.0) == 0


def test_the_persons_own_judgment_has_no_stakes():
    recall = Recall(**COMMON, answer="a", rubric=())
    assert credit_of(recall, RIGHT, Effort(confidence=Confidence.GUESS), 0.0) == 1
