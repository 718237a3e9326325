"""Practice: any question, any number of times, and no schedule, limit or count that knows of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quizapp.domain.queue import Stage
from quizapp.domain.rating import Rating
from quizapp.study.home_values import Filter
from quizapp.study.overview import home
from quizapp.study.scheduling.daily import find_limits
from quizapp.study.statistics import statistics, summary
from tests.study.tools import TODAY, Person, deck_of, right, wrong

CHOICES = """\
- id: {name}
  kind: choice
  topic: {topic}
  concept: {name}
  difficulty: 1
  prompt: p
  hints: [a hint]
  options:
    - {{text: yes it is, correct: true}}
    - {{text: no, why: because}}
  explanation: e
  sources: [s]
"""
NAMES = ("a", "b", "c", "d")


@pytest.fixture
def person(tmp_path):
    text = "".join(CHOICES.format(name=name, topic="banks") for name in NAMES)
    someone = Person(tmp_path / "progress.db", deck_of(tmp_path / "content", text))
    yield someone
    someone.close()


def name(letter: str) -> str:
    return f"pack/{letter}"


def commit(study, respond=right):
    turn = study.session.next()
    study.session.commit(study.session.grade(turn, respond(turn)))
    return turn


def state(study):
    """All that practice must not change."""
    limits = replace(find_limits(study.progress), minutes=None)  # which has a function
    return (study.store.dump(), home(study), statistics(study), limits)


def test_practice_changes_neither_cards_nor_counts_nor_limits(person):
    study = person.open()
    study.session.begin(Filter())
    commit(study)
    commit(study, wrong)
    study.session.begin(Filter())
    before = state(study)
    for _ in range(2):
        study.session.begin(Filter(practice=True))
        for respond in (right, wrong, right, wrong):
            assert commit(study, respond).is_practice
        assert study.session.next() is None
    study.session.begin(Filter())
    assert state(study) == before
    study.store.rebuild()
    study.session.begin(Filter())
    assert state(study) == before
    assert summary(study, study.session.results).practice == 8


def test_chosen_questions_are_scheduled_where_they_are_new_and_practice_once_they_are_not(person):
    study = person.open()
    study.session.begin(Filter(questions=(name("c"), name("a"), "pack/gone")))
    assert [commit(study).item.stage for _ in range(2)] == [Stage.NEW, Stage.NEW]
    assert study.session.next() is None
    study.session.begin(Filter(questions=(name("c"), name("b"))))
    assert [commit(study).item.stage for _ in range(2)] == [Stage.PRACTICE, Stage.NEW]
    assert study.store.totals_of_day(TODAY).new == 3


def test_failures_of_today_and_yesterday_are_practiced(person):
    study = person.open()
    study.session.begin(Filter(limit=1))
    old = commit(study, wrong).entry.id
    person.clock.move(days=3)
    study.session.begin(Filter(limit=2))
    failed = {commit(study, wrong).entry.id for _ in range(2)}
    person.clock.move(days=1)
    study.session.begin(Filter(failed=True, practice=True))
    assert {commit(study).entry.id for _ in range(study.session.queue.left)} == failed
    assert study.session.begin(Filter(failed=True, practice=True)).left == 2
    assert old not in failed or len(failed) == 2
    person.clock.move(days=1)
    assert study.session.begin(Filter(failed=True, practice=True)).left == 0


def test_practice_can_be_undone_and_redone(person):
    study = person.open()
    study.session.begin(Filter(questions=(name("a"),), practice=True))
    asked = commit(study)
    assert study.session.next() is None
    study.history.undo()
    again = study.session.next()
    assert (again.entry.id, again.is_practice) == (asked.entry.id, True)
    study.history.redo()
    assert study.session.next() is None
    assert study.progress.card(name("a")).memory is None


def test_hints_of_practice_do_not_count_for_the_scheduled_attempt(person):
    study = person.open()
    study.session.begin(Filter(questions=(name("a"),), practice=True))
    study.attempts.show_hint(study.session.next(), 1)
    study.session.begin(Filter(questions=(name("a"),)))
    turn = study.session.next()
    assert (turn.item.stage, turn.hints) == (Stage.NEW, 0)
    study.attempts.show_hint(turn, 1)
    study.session.begin(Filter(questions=(name("a"),), practice=True))
    assert study.session.next().hints == 0
    study.session.begin(Filter(questions=(name("a"),)))
    assert study.session.next().hints == 1


def test_a_rating_cannot_be_given_to_practice_by_the_log(person):
    study = person.open()
    study.session.begin(Filter(questions=(name("a"),), practice=True))
    turn = study.session.next()
    graded = study.session.grade(turn, right(turn))
    study.session.commit(graded)
    study.session.rate(graded, Rating.EASY)
    assert study.progress.card(name("a")).memory is None


def test_a_session_within_a_session_gives_it_back_without_what_was_answered(person):
    study = person.open()
    study.session.begin(Filter(limit=3))
    first = study.session.next().entry.id
    study.session.interrupt(Filter(questions=(first,)))
    assert commit(study).entry.id == first
    study.session.interrupt(Filter(practice=True, questions=(first,)))
    commit(study)
    study.session.resume()
    assert study.session.next() is None
    study.session.resume()
    assert study.session.narrowed == Filter(limit=3)
    assert study.session.queue.left == 2
    assert study.session.next().entry.id != first


def test_what_was_revealed_is_practice_that_day_and_returns_the_next(person):
    study = person.open()
    study.session.begin(Filter())
    assert study.marks.reveal(name("a"))
    assert not study.marks.reveal(name("a"))
    assert {commit(study).entry.id for _ in range(study.session.queue.left)} == set(
        map(name, "bcd")
    )
    assert home(study).new == 0
    study.session.begin(Filter(questions=(name("a"),)))
    assert commit(study).is_practice
    study = person.reopen()
    study.store.rebuild()
    study.session.begin(Filter())
    assert study.session.next() is None
    person.clock.move(days=1)
    assert [i.question for i in study.session.begin(Filter()).waiting if i.stage is Stage.NEW] == [
        name("a")
    ]


def test_what_was_answered_today_is_not_put_off_by_a_look(person):
    study = person.open()
    study.session.begin(Filter(limit=1))
    asked = commit(study).entry.id
    assert not study.marks.reveal(asked)
    assert study.progress.card(asked).buried_until is None
