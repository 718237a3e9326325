"""Every row of the design's mapping from an answer to a rating, and the borders between them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.domain.grading import Grade, is_terse
from quizapp.domain.rating import (
    Confidence,
    Effort,
    Pace,
    Rating,
    Rule,
    Suggestion,
    is_confident_error,
    suggest,
    suggest_recall,
)

AGAIN, HARD, GOOD, EASY = Rating
SLOW = 60_000
TWENTY = (10_000,) * 20
"""Durations whose median is 10 s."""
KNOWN = Pace(first_exposure=False, durations_ms=TWENTY)


def grade_and_effort(*, correct: bool, score: float = 1.0, **effort) -> tuple[Grade, Effort]:
    return Grade(correct, score), Effort(**effort)


QUICK = grade_and_effort(correct=True, duration_ms=9_999, confidence=Confidence.CERTAIN)


def right(**more) -> tuple[Grade, Effort]:
    return grade_and_effort(correct=True, duration_ms=SLOW, **more)


@pytest.mark.parametrize(
    ("effort", "rating", "rule"),
    [
        # wrong, gave up or solution shown → Again
        (grade_and_effort(correct=False), AGAIN, Rule.WRONG),
        (grade_and_effort(correct=False, hints=2, failures=3), AGAIN, Rule.WRONG),
        (grade_and_effort(correct=False, confidence=Confidence.CERTAIN), AGAIN, Rule.WRONG),
        (grade_and_effort(correct=False, gave_up=True), AGAIN, Rule.GAVE_UP),
        (grade_and_effort(correct=True, gave_up=True), AGAIN, Rule.GAVE_UP),
        # a hint used, or two or more failed submissions → Hard
        (right(hints=1), HARD, Rule.HINT_USED),
        (right(hints=3, failures=2), HARD, Rule.HINT_USED),
        (right(failures=2), HARD, Rule.TWO_FAILURES),
        (right(failures=9), HARD, Rule.TWO_FAILURES),
        # unaided → Good
        (right(), GOOD, Rule.UNAIDED),
        (right(failures=1), GOOD, Rule.UNAIDED),
        (right(failures=1, confidence=Confidence.FAIRLY), GOOD, Rule.UNAIDED),
        # a guess → Hard, unless something else says more about it
        (right(confidence=Confidence.GUESS), HARD, Rule.GUESSED),
        (right(failures=1, confidence=Confidence.GUESS), HARD, Rule.GUESSED),
        (right(hints=1, confidence=Confidence.GUESS), HARD, Rule.HINT_USED),
        (right(failures=2, confidence=Confidence.GUESS), HARD, Rule.TWO_FAILURES),
        (grade_and_effort(correct=False, confidence=Confidence.GUESS), AGAIN, Rule.WRONG),
    ],
)
def test_an_answer_is_rated_by_the_first_rule_that_applies(effort, rating, rule):
    assert suggest(*effort, KNOWN) == Suggestion(rating, rule)


@pytest.mark.parametrize(
    ("effort", "pace"),
    [
        (QUICK, KNOWN),
        (
            grade_and_effort(correct=True, duration_ms=9_999, confidence=None),
            Pace(first_exposure=False, durations_ms=TWENTY, asks_confidence=False),
        ),
    ],
    ids=["certain", "confidence is not asked"],
)
def test_easy_is_for_who_was_right_at_once_fast_and_sure(effort, pace):
    assert suggest(*effort, pace) == Suggestion(EASY, Rule.FAST_AND_SURE)


@pytest.mark.parametrize(
    ("change", "pace"),
    [
        ({}, Pace(first_exposure=True, durations_ms=TWENTY)),
        ({}, Pace(first_exposure=False, durations_ms=TWENTY[:19])),
        ({}, Pace(first_exposure=False)),
        ({"duration_ms": 10_000}, KNOWN),
        ({"duration_ms": 10_001}, KNOWN),
        ({"confidence": Confidence.FAIRLY}, KNOWN),
        ({"confidence": None}, KNOWN),
        ({"failures": 1}, KNOWN),
    ],
    ids=[
        "first exposure",
        "19 answers",
        "no answers",
        "as fast as the median",
        "slower",
        "fairly sure",
        "not asked",
        "not at once",
    ],
)
def test_easy_is_not_for_anything_less(change, pace):
    facts = {"correct": True, "duration_ms": 9_999, "confidence": Confidence.CERTAIN}
    assert suggest(*grade_and_effort(**(facts | change)), pace) == Suggestion(GOOD, Rule.UNAIDED)


def test_the_median_is_compared_and_not_the_mean():
    one_long_break = (*(10_000,) * 19, 10_000_000)
    slow = grade_and_effort(correct=True, duration_ms=20_000, confidence=Confidence.CERTAIN)
    pace = Pace(first_exposure=False, durations_ms=one_long_break)
    assert suggest(*slow, pace).rating is GOOD


@pytest.mark.parametrize(
    ("score", "more", "rating", "rule"),
    [
        (0.0, {}, AGAIN, Rule.COVERED_LITTLE),
        (0.49, {}, AGAIN, Rule.COVERED_LITTLE),
        (0.5, {}, HARD, Rule.COVERED_HALF),
        (0.79, {}, HARD, Rule.COVERED_HALF),
        (0.8, {}, GOOD, Rule.COVERED_MOST),
        (1.0, {}, GOOD, Rule.COVERED_MOST),
        (1.0, {"hints": 1}, HARD, Rule.HINT_USED),
        (0.8, {"confidence": Confidence.GUESS}, HARD, Rule.GUESSED),
        (0.8, {"confidence": Confidence.FAIRLY}, GOOD, Rule.COVERED_MOST),
        (0.7, {"confidence": Confidence.GUESS}, HARD, Rule.COVERED_HALF),
        (0.2, {"confidence": Confidence.GUESS}, AGAIN, Rule.COVERED_LITTLE),
        (0.6, {"hints": 1}, HARD, Rule.COVERED_HALF),
        (0.2, {"hints": 1}, AGAIN, Rule.COVERED_LITTLE),
        (1.0, {"gave_up": True}, AGAIN, Rule.GAVE_UP),
        (0.0, {"gave_up": True}, AGAIN, Rule.GAVE_UP),
    ],
)
def test_a_recall_is_rated_by_the_share_it_covered(score, more, rating, rule):
    effort = grade_and_effort(correct=score >= 0.5, score=score, **more)
    assert suggest_recall(*effort) == Suggestion(rating, rule)


def test_a_recall_of_a_few_words_is_hard_at_most():
    for score, rating in ((0.2, AGAIN), (0.6, HARD), (1.0, HARD)):
        effort = grade_and_effort(correct=score >= 0.5, score=score)
        rule = Rule.COVERED_LITTLE if rating is AGAIN else Rule.FEW_WORDS
        assert suggest_recall(*effort, is_terse=True) == Suggestion(rating, rule)
    assert is_terse("banana lorem")
    assert is_terse("合并访存")
    assert not is_terse("each warp reads a row")
    assert not is_terse(" "), "it was said"


efforts = st.builds(
    grade_and_effort,
    correct=st.booleans(),
    score=st.floats(0, 1),
    hints=st.integers(0, 3),
    failures=st.integers(0, 4),
    gave_up=st.booleans(),
    duration_ms=st.integers(0, 30_000),
    confidence=st.none() | st.sampled_from(Confidence),
)
paces = st.builds(
    Pace,
    first_exposure=st.booleans(),
    durations_ms=st.lists(st.integers(0, 30_000), max_size=30).map(tuple),
    asks_confidence=st.booleans(),
)


@given(efforts, paces)
def test_a_rating_is_again_exactly_when_it_was_not_known(effort, pace):
    known = effort[0].correct and not effort[1].gave_up
    assert (suggest(*effort, pace).rating is AGAIN) != known


@given(efforts, paces)
def test_the_first_exposure_is_never_easy_and_a_recall_never_is(effort, pace):
    assert suggest_recall(*effort).rating is not EASY
    assert suggest(*effort, Pace(True, pace.durations_ms, pace.asks_confidence)).rating is not EASY


@given(efforts, paces)
def test_one_more_hint_never_raises_a_rating(effort, pace):
    grade, facts = effort
    more = replace(facts, hints=facts.hints + 1)
    assert suggest(grade, more, pace).rating <= suggest(grade, facts, pace).rating
    assert suggest_recall(grade, more).rating <= suggest_recall(grade, facts).rating


def test_stored_names_of_rules_and_numbers_of_ratings_never_change():
    assert [rule.value for rule in Rule] == [
        "wrong",
        "gave-up",
        "hint-used",
        "two-failures",
        "unaided",
        "fast-and-sure",
        "covered-most",
        "covered-half",
        "covered-little",
        "person",
        "partly",
        "guessed",
        "few-words",
    ]
    assert {rating.name: rating.value for rating in Rating} == {
        "AGAIN": 1,
        "HARD": 2,
        "GOOD": 3,
        "EASY": 4,
    }
    assert [level.value for level in Confidence] == [1, 2, 3]


def test_a_recall_that_is_known_in_part_is_no_error_that_a_person_was_certain_of():
    partly, wrong = Grade(correct=False, score=0.33), Grade(correct=False, score=0)
    assert not is_confident_error(Confidence.CERTAIN, partly, is_recall=True)
    assert is_confident_error(Confidence.CERTAIN, wrong, is_recall=True)
    assert is_confident_error(Confidence.CERTAIN, partly, is_recall=False)
    assert not is_confident_error(Confidence.CERTAIN, partly, is_recall=False, credit=0.2)
    assert not is_confident_error(Confidence.FAIRLY, wrong, is_recall=False)
