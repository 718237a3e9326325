"""What home says: one selection for all its counts, minutes by kind, a topic's detail."""

from __future__ import annotations

from itertools import islice

import pytest

from quizapp.domain.minutes import NEW_ANSWERS
from quizapp.study.home_values import Filter
from quizapp.study.overview import home, recall_chance, topic_detail
from quizapp.study.scheduling.pace import MINUTES
from quizapp.study.statistics import statistics
from tests.study.tools import respond, right


def answer(study, *, correct: bool = True, seconds: int = 12) -> str:
    """Answer the next question; its id."""
    turn = study.session.next()
    ms = seconds * 1000
    given = right(turn, duration_ms=ms) if correct else respond(gave_up=True, duration_ms=ms)
    study.session.commit(study.session.grade(turn, given))
    return turn.entry.id


@pytest.mark.parametrize("narrowed", [Filter(), Filter(topic="swizzling"), Filter(kind="choice")])
def test_all_counts_are_of_one_selection(person, narrowed):
    one = person(new_per_day=8)
    study = one.open()
    study.session.begin(narrowed)
    for correct in (True, False, True):
        answer(study, correct=correct)
    one.clock.move(days=30)
    study = one.reopen()
    study.session.begin(narrowed)
    facts = home(study)
    assert facts.due == facts.whole.due == sum(row.due for row in facts.topics) == 3
    assert facts.unseen == facts.whole.new == sum(row.new for row in facts.topics)
    assert facts.questions == facts.whole.questions == len(study.course.candidates(narrowed))
    assert {row.topic for row in facts.topics} == {
        candidate.topic for candidate in study.course.candidates(narrowed)
    }


def test_a_limit_is_known_beside_what_is_due(person):
    one = person(reviews_per_day=1)
    study = one.open()
    study.session.begin(Filter())
    for _ in range(3):
        answer(study)
    one.clock.move(days=60)
    study = one.reopen()
    study.session.begin(Filter(new=0))
    facts = home(study)
    assert (facts.due, facts.whole.due) == (1, 3)


def test_the_known_share_of_all_topics_is_that_of_their_questions(person):
    study = person().open()
    study.session.begin(Filter())
    for _ in range(4):
        answer(study)
    facts = home(study)
    assert facts.whole.seen == 4
    assert facts.whole.known == pytest.approx(
        sum(row.known * row.questions for row in facts.topics) / facts.questions
    )


def test_what_was_never_answered_right_is_not_known(person):
    study = person().open()
    study.session.begin(Filter())
    for correct in (False, True):
        name = answer(study, correct=correct)
        known = recall_chance(study, study.progress.card(name), study.day)
        assert (known > 0) == correct
    facts = home(study)
    assert facts.whole.seen == 2
    assert facts.whole.known * facts.questions == pytest.approx(1)


@pytest.mark.parametrize("kind", sorted(MINUTES))
def test_minutes_are_estimated_by_kind(person, kind):
    study = person(new_per_day=4).open()
    study.session.begin(Filter(kind=kind))
    facts = home(study)
    assert facts.minutes == max(1, round(facts.new * NEW_ANSWERS * MINUTES[kind]))


def test_the_persons_own_times_of_a_kind_replace_the_estimate(person):
    one = person(new_per_day=6)
    study = one.open()
    study.session.begin(Filter(kind="number"))
    for seconds in (60, 300, 240):
        answer(study, seconds=seconds)
    facts = home(study)
    assert facts.due == 0
    assert facts.minutes == round(facts.new * NEW_ANSWERS * 200 / 60)
    study.session.begin(Filter(kind="choice"))
    facts = home(study)
    assert facts.minutes == round(facts.new * NEW_ANSWERS * MINUTES["choice"])


def test_two_answers_make_no_pace(person):
    study = person(new_per_day=4).open()
    study.session.begin(Filter(kind="number"))
    for _ in range(2):
        answer(study, seconds=600)
    assert home(study).minutes == round(2 * NEW_ANSWERS * MINUTES["number"])


def test_the_streak_is_of_days_without_a_break(person):
    one = person()
    for streak in (1, 2, 3):
        study = one.reopen()
        study.session.begin(Filter())
        answer(study)
        assert home(study).streak == streak
        one.clock.move(days=1)
    assert home(one.reopen()).streak == 3
    one.clock.move(days=1)
    assert home(one.reopen()).streak == 0


def test_a_topics_detail(person):
    one = person(new_per_day=3)
    study = one.open()
    study.session.begin(Filter(topic="banks"))
    names = [answer(study, correct=correct) for correct in (True, False, True)]
    study.session.begin(Filter())
    facts = home(study)
    begun = next(row for row in facts.topics if row.topic == "banks")
    assert topic_detail(study, begun, facts.asked).next_due_day == study.day + 2
    one.clock.move(days=3)
    study = one.reopen()
    study.session.begin(Filter(topic="banks"))
    again = answer(study, correct=False)
    study.session.begin(Filter())
    facts = home(study)

    def row(topic: str):
        return next(row for row in facts.topics if row.topic == topic)

    found = topic_detail(study, row("banks"), facts.asked)
    kinds = {kind.kind: kind for kind in found.kinds}
    in_topic = study.course.candidates(Filter(topic="banks"))
    assert sum(kind.seen for kind in found.kinds) == 3
    assert sum(kind.questions for kind in found.kinds) == len(in_topic)
    assert all(kinds[study.deck.entries[name].kind].seen for name in names)
    assert (found.retention.answers, found.retention.passed) == (1, 0)
    assert found.hardest[0].question == study.deck.question(again)
    assert len(found.hardest) == 3
    assert found.last_day == study.day
    assert found.next_due_day is None  # all three are asked today
    untouched = topic_detail(study, row("scan"), facts.asked)
    assert untouched.last_day is None
    assert untouched.hardest == ()
    assert untouched.retention.share is None
    whole = topic_detail(study, facts.whole, facts.asked)
    assert sum(kind.questions for kind in whole.kinds) == len(study.course.candidates())


def test_what_is_answered_wrong_today_is_in_todays_forecast(person):
    study = person().open()
    study.session.begin(Filter())
    answer(study, correct=False)
    facts = statistics(study)
    assert next(iter(islice(facts.forecast.values(), 1))) == home(study).due == 1
