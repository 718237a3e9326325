"""A placement: adaptive, short, counted by no statistics, and taken back by one undo."""

from __future__ import annotations

from statistics import mean

from quizapp.domain.order import Candidate
from quizapp.domain.placement import (
    LIMIT_MS,
    QUESTIONS,
    PlacementStep,
    begin_where_unknown,
    chance_known,
    level,
    next_question,
)
from quizapp.domain.rating import Confidence
from quizapp.study.home_values import Filter
from quizapp.study.mock.placement import Placement
from quizapp.study.scheduling.daily import find_limits
from quizapp.study.statistics import statistics
from tests.study.tools import right, wrong


def take(placement: Placement, *, correct: bool = True, **more) -> list[int]:
    """Take a whole placement; return the difficulties that were asked."""
    asked = []
    while (turn := placement.next()) is not None:
        respond = right if correct else wrong
        placement.commit(placement.grade(turn, respond(turn, elapsed_ms=5_000, **more)))
        asked.append(turn.entry.difficulty)
    return asked


def answer_next(placement: Placement):
    """Answer the next question right; return it."""
    turn = placement.next()
    assert turn is not None
    placement.commit(placement.grade(turn, right(turn)))
    return turn


def candidate(name: str, difficulty: int, topic: str = "t") -> Candidate:
    return Candidate(name, topic, (), 1, "choice", difficulty, concept=name)


def step(name: str, *, knew: bool, ms: int = 1) -> PlacementStep:
    return PlacementStep(candidate(name, 2), knew, knew, ms)


def test_it_gets_harder_after_right_answers_and_easier_after_wrong_ones():
    assert [level([step("a", knew=True)] * n) for n in range(5)] == [2, 3, 4, 5, 5]
    assert [level([step("a", knew=False)] * n) for n in range(3)] == [2, 1, 1]


def test_a_right_answer_speaks_for_what_is_easier_a_wrong_one_against_what_is_harder():
    hard, easy = candidate("hard", 4), candidate("easy", 1)
    other = candidate("other", 1, "elsewhere")
    right_at_3 = [(candidate("a", 3), True)] * 3
    wrong_at_3 = [(candidate("a", 3), False)] * 3
    assert chance_known(easy, []) == chance_known(hard, []) == 0.5
    assert chance_known(easy, right_at_3) > chance_known(other, right_at_3) > 0.5
    assert chance_known(easy, right_at_3) > chance_known(hard, right_at_3)
    assert chance_known(hard, wrong_at_3) < chance_known(easy, wrong_at_3) < 0.5
    assert begin_where_unknown([easy, hard], [*right_at_3, *[(hard, False)] * 3]) == [hard, easy]
    assert begin_where_unknown([easy, hard], wrong_at_3) == [easy, hard]


def test_new_questions_begin_where_the_placement_found_gaps_until_it_is_undone(person):
    study = person().open()
    study.session.begin(Filter())
    before = study.session.queue
    placement = Placement(study)
    take(placement)
    placement.finish()
    first, now = (
        mean(study.deck.entries[item.question].difficulty for item in asked.waiting)
        for asked in (before, study.session.queue)
    )
    assert now > first
    study.history.undo()
    assert {item.question for item in study.session.queue.waiting} == {
        i.question for i in before.waiting
    }


def test_it_asks_another_concept_of_another_topic_while_there_is_time():
    known = [candidate("a", 2, "x"), candidate("b", 3, "x"), candidate("c", 3, "y")]
    first = PlacementStep(known[0], True, True, 1)
    assert next_question(known, []) == known[0]
    assert next_question(known, [first]) == known[2]
    late = PlacementStep(known[0], True, True, LIMIT_MS)
    assert next_question(known, [late]) is None
    assert next_question(known, [step(str(i), knew=True) for i in range(QUESTIONS)]) is None


def test_what_is_known_is_scheduled_and_no_statistics_count_it(person):
    study = person().open()
    study.session.begin(Filter())
    before = statistics(study)
    placement = Placement(study)
    asked = take(placement)
    assert len(asked) == QUESTIONS
    assert max(asked) >= 4
    known = placement.finish()
    assert len(known) == QUESTIONS
    assert placement.finish() == known, "stored once"
    for name in known:
        card = study.progress.card(name)
        assert card.memory is not None
        assert card.memory.due_day > study.day
        assert card.passed
    after = statistics(study)
    assert (after.answers, after.streak, after.duration_ms) == (0, 0, 0)
    assert after.retention_all == before.retention_all
    assert find_limits(study.progress).new == study.settings.new_per_day
    assert not {*known} & {item.question for item in study.session.queue.items}


def test_one_undo_takes_all_of_it_back_and_a_redo_restores_it(person):
    one = person()
    study = one.open()
    study.session.begin(Filter())
    before = study.store.dump()
    placement = Placement(study)
    take(placement)
    known = placement.finish()
    placed = study.store.dump()
    study = one.reopen()
    study.session.begin(Filter())
    undone = study.history.undo()
    assert undone is not None
    assert (undone.what, undone.question) == ("place", "")
    assert study.store.dump()["card"] == before["card"]
    study.history.redo()
    assert study.store.dump()["card"] == placed["card"]
    study.store.rebuild()
    assert study.store.dump()["card"] == placed["card"]
    assert all(study.progress.card(name).memory for name in known)


def test_wrong_guessed_and_hinted_answers_are_not_known(person):
    for number, (correct, more) in enumerate(
        ((False, {}), (True, {"confidence": Confidence.GUESS}), (True, {"hints": 1}))
    ):
        study = person().open()
        placement = Placement(study)
        asked = take(placement, correct=correct, **more)
        assert asked[-1] == 1, number
        assert placement.finish() == ()
        assert study.progress.cards == {}


def test_an_answer_can_be_taken_back(person):
    placement = Placement(person().open())
    assert not placement.take_back()
    turn = placement.next()
    assert turn is not None
    placement.commit(placement.grade(turn, right(turn)))
    assert placement.take_back()
    assert placement.next() == turn
    assert turn.position == 1


def test_a_placement_that_was_left_goes_on_after_a_restart(person):
    one = person()
    placement = Placement(one.open())
    first, second = [answer_next(placement) for _ in range(2)]
    assert placement.take_back()
    placement = Placement(one.reopen())
    assert placement.resumed == 1
    assert not placement.still_asks(first)
    assert answer_next(placement).entry.id == second.entry.id
    take(placement)
    assert len(placement.finish()) == QUESTIONS
    assert Placement(one.reopen()).resumed == 0


def test_a_placement_that_was_left_long_ago_begins_anew(person):
    one = person()
    answer_next(Placement(one.open()))
    one.clock.move(days=8)
    assert Placement(one.reopen()).resumed == 0


def test_a_question_with_a_schedule_keeps_it_and_is_not_asked(person):
    study = person().open()
    study.session.begin(Filter())
    turn = study.session.next()
    assert turn is not None
    study.session.commit(study.session.grade(turn, right(turn)))
    placement = Placement(study)
    assert turn.entry.id not in {c.question for c in placement._candidates}
