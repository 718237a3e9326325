"""One question from being asked to being graded: every step, and any walk of steps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.deck.index import Entry
from quizapp.domain.projection import Card
from quizapp.domain.question import AnyQuestion, Choice, Number, Option, Recall, RubricPoint
from quizapp.domain.rating import Confidence
from quizapp.domain.session import Item, Stage
from quizapp.study import trial as trials
from quizapp.study.trial import Phase, Trial
from quizapp.study.values import Asked

COMMON = {
    "id": "q",
    "topic": "banks",
    "concept": "c",
    "difficulty": 1,
    "prompt": "?",
    "explanation": "!",
    "sources": ("s",),
    "hints": ("vague", "plain"),
}
OPTIONS = tuple(Option(text=str(i), correct=i == 1, why="no") for i in range(4))
ONE = Choice(**COMMON, options=OPTIONS)
SEVERAL = Choice(**COMMON, options=OPTIONS, several=True)
NUMBER = Number(**COMMON, answer=32.0)
RECALL = Recall(**COMMON, answer="!", rubric=tuple(RubricPoint(point=str(i)) for i in range(3)))
QUESTIONS = (ONE, SEVERAL, NUMBER, RECALL)
ENTRY = Entry("p/q", "choice", "banks", "c", 1, (), 1, (), "h", "f", 1, False, 0, 0)


def trial(question: AnyQuestion, *, asks_confidence: bool = True) -> Trial:
    order = (2, 0, 3, 1) if isinstance(question, Choice) else ()
    item = Item("p/q", "banks", Stage.NEW)
    asked = Asked(item, ENTRY, question, Card("p/q"), position=1, total=1, order=order)
    return Trial(asked, asks_confidence=asks_confidence)


# Picking


def test_a_row_is_picked_as_it_is_shown_and_kept_as_it_was_written():
    assert trials.pick(trial(ONE), 0).picked == {2}
    assert trials.pick(trial(ONE), 3).picked == {1}


def test_of_one_choice_the_last_pick_stands():
    picked = trials.pick(trials.pick(trial(ONE), 0), 1)
    assert (picked.picked, picked.cursor) == ({0}, 1)
    assert trials.pick(picked, 1).picked == {0}


def test_of_several_each_pick_goes_on_and_off():
    picked = trials.pick(trials.pick(trial(SEVERAL), 0), 1)
    assert picked.picked == {2, 0}
    assert trials.pick(picked, 0).picked == {0}


@pytest.mark.parametrize("row", [-1, 4, 99])
def test_a_row_that_is_not_there_changes_nothing(row):
    assert trials.pick(trial(ONE), row) == trial(ONE)


@pytest.mark.parametrize("question", [NUMBER, RECALL])
def test_where_nothing_can_be_picked_nothing_is(question):
    assert trials.pick(trial(question), 0) == trial(question)


def test_after_handing_in_a_choice_is_fixed():
    handed_in = trials.submit(trials.pick(trial(ONE), 0))
    assert trials.pick(handed_in, 1).picked == {2}


@pytest.mark.parametrize(
    ("moves", "row"), [([1], 1), ([1, 1, 1, 1, 1], 3), ([-1], 0), ([9, -2], 1)]
)
def test_the_cursor_stays_within_the_rows(moves, row):
    found = trial(ONE)
    for rows in moves:
        found = trials.move(found, rows)
    assert found.cursor == row
    assert trials.move(trial(NUMBER), 1).cursor == 0


# Phases


@pytest.mark.parametrize(
    ("question", "asks_confidence", "phases"),
    [
        (ONE, True, [Phase.SURE, Phase.READY]),
        (ONE, False, [Phase.READY]),
        (NUMBER, True, [Phase.SURE, Phase.READY]),
        (NUMBER, False, [Phase.READY]),
        (RECALL, True, [Phase.SURE, Phase.COMPARING, Phase.READY]),
        (RECALL, False, [Phase.COMPARING, Phase.READY]),
    ],
)
def test_confidence_is_asked_before_grading_and_a_recall_is_compared(
    question, asks_confidence, phases
):
    found, seen = trial(question, asks_confidence=asks_confidence), []
    assert found.phase is Phase.ASKING
    while found.phase is not Phase.READY:
        match found.phase:
            case Phase.ASKING:
                found = trials.submit(found)
            case Phase.SURE:
                found = trials.be_sure(found, Confidence.FAIRLY)
            case _:
                found = trials.accept(found)
        seen.append(found.phase)
    assert seen == phases
    assert (found.confidence is Confidence.FAIRLY) is asks_confidence


def test_withdrawing_goes_back_to_the_answer_as_it_was():
    picked = trials.hint(trials.pick(trial(ONE), 2))
    assert trials.withdraw(trials.submit(picked)) == picked
    assert trials.withdraw(trials.be_sure(picked, Confidence.GUESS)).confidence is None


def test_the_points_of_a_recall_are_ticked_on_and_off():
    comparing = trials.submit(trial(RECALL, asks_confidence=False))
    assert comparing.rows == 3
    ticked = trials.pick(trials.pick(trials.pick(comparing, 0), 2), 0)
    assert ticked.covered == {2}
    assert trials.pick(comparing, 3) == comparing


def test_giving_up_needs_no_confidence_and_no_ticks():
    for question in QUESTIONS:
        found = trials.give_up(trial(question))
        assert (found.phase, found.gave_up) == (Phase.READY, True)
        assert found.given(5).gave_up


def test_hints_are_shown_as_far_as_there_are_any():
    found = trial(ONE)
    for expected in (1, 2, 2):
        found = trials.hint(found)
        assert found.hints == expected


def test_what_was_done_is_what_is_graded():
    found = trials.be_sure(
        trials.submit(trials.hint(trials.pick(trials.pick(trial(SEVERAL), 0), 1))),
        Confidence.CERTAIN,
    )
    given_ = found.given(1234)
    assert (given_.picked, given_.hints, given_.duration_ms) == ((0, 2), 1, 1234)
    assert (given_.confidence, given_.gave_up, given_.covered) == (Confidence.CERTAIN, False, ())


steps = st.one_of(
    st.tuples(st.just(trials.pick), st.tuples(st.integers(-1, 9))),
    st.tuples(st.just(trials.move), st.tuples(st.integers(-9, 9))),
    st.tuples(st.just(trials.be_sure), st.tuples(st.sampled_from(Confidence))),
    st.tuples(
        st.sampled_from([trials.hint, trials.submit, trials.withdraw, trials.accept]),
        st.just(()),
    ),
)


@given(st.sampled_from(QUESTIONS), st.booleans(), st.lists(steps, max_size=12))
def test_any_walk_stays_within_the_question(question, asks_confidence, walk):
    found = trial(question, asks_confidence=asks_confidence)
    for step, arguments in walk:
        before = found
        found = step(found, *arguments)
        assert found.asked == before.asked
        assert found.hints >= before.hints
    assert found.picked <= set(range(4))
    if question is ONE:
        assert len(found.picked) <= 1
    if not isinstance(question, Choice):
        assert not found.picked
    if not isinstance(question, Recall):
        assert not found.covered
    assert found.covered <= set(range(3))
    assert 0 <= found.hints <= 2
    assert 0 <= found.cursor <= 3
