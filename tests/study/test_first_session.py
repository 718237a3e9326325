"""The first session: one question of each kind, each with how its kind works."""

from __future__ import annotations

from quizapp.domain.question import KINDS
from quizapp.domain.queue import Stage
from quizapp.study.home_values import Filter
from tests.study.tools import EVERYTHING, answer, finish

GUIDED = Filter(guided=True)


def kinds(done) -> list[str]:
    return [graded.turn.entry.kind for graded in done]


def test_it_is_one_question_of_each_kind_and_each_is_explained(person):
    study = person(new_per_day=3).open()
    done = finish(study, GUIDED)
    assert len(done) == len(KINDS)
    assert set(kinds(done)) == set(KINDS)
    assert {graded.turn.item.stage for graded in done} == {Stage.NEW}
    assert all(graded.turn.explains for graded in done)
    assert study.store.totals_of_day(study.day).new == len(KINDS)


def test_what_is_answered_wrong_comes_back_in_the_next_session_not_in_this_one(person):
    study = person().open()
    study.session.begin(GUIDED)
    for position in range(1, len(KINDS) + 1):
        turn = study.session.next()
        assert (turn.position, turn.total, turn.returns) == (position, len(KINDS), False)
        answer(study, correct=False)
    assert study.session.next() is None
    study.session.begin(EVERYTHING)
    repeats = {item.question for _, item in study.session.queue.returning}
    assert len(repeats) == len(KINDS)
    assert study.session.next().returns


def test_the_ordinary_first_day_begins_with_the_same(person):
    guided = finish(person().open(), GUIDED)
    ordinary = finish(person().open(), EVERYTHING)
    assert [g.turn.entry.id for g in ordinary[:7]] == [g.turn.entry.id for g in guided]
    assert [g.turn.explains for g in ordinary] == [True] * 7 + [False] * 3


def test_repeated_it_is_practice_and_explained_again(person):
    study = person().open()
    first = finish(study, GUIDED)
    before = dict(study.progress.cards)
    again = finish(study, GUIDED)
    assert [g.turn.entry.id for g in again] == [g.turn.entry.id for g in first]
    assert all(g.turn.is_practice and g.turn.explains for g in again)
    assert study.progress.cards == before


def test_begun_again_on_the_same_day_it_goes_on_where_it_was_left(person):
    study = person().open()
    study.session.begin(GUIDED)
    met = {answer(study).turn.entry.id, answer(study, correct=False).turn.entry.id}
    rest = finish(study, GUIDED)
    assert len(rest) == len(KINDS) - 2
    assert not met & {g.turn.entry.id for g in rest}
    assert not any(g.turn.is_practice for g in rest)


def test_what_was_left_is_asked_as_new_later(person):
    study = person().open()
    study.session.begin(GUIDED)
    first = answer(study)
    study.session.begin(EVERYTHING)
    rest = finish(study, EVERYTHING)
    assert len(rest) == 9
    assert first.turn.entry.id not in {g.turn.entry.id for g in rest}
    assert set(kinds([first, *rest])) == set(KINDS)


def test_a_filter_narrows_it(person):
    study = person().open()
    study.session.begin(Filter(topic="banks", guided=True))
    done = finish(study, Filter(topic="banks", guided=True))
    assert len(set(kinds(done))) == len(done) > 1
    assert {g.turn.entry.topic for g in done} == {"banks"}
