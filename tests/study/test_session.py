"""Sessions on the shipped deck with a real store and a clock that stands still."""

from __future__ import annotations

from collections import Counter

import pytest

from quizapp.domain.attempt import Response
from quizapp.domain.days import Instant, as_date
from quizapp.domain.errors import UnknownTopic, UsageError
from quizapp.domain.log.events import Answered
from quizapp.domain.question import KINDS
from quizapp.domain.queue import Stage
from quizapp.domain.rating import Confidence, Rule
from quizapp.study.home_values import Filter
from quizapp.study.overview import home
from quizapp.study.scheduling.daily import find_limits
from tests.sentences import english
from tests.study.tools import (
    AGAIN,
    EASY,
    EVERYTHING,
    GOOD,
    HARD,
    NOON,
    TODAY,
    answer,
    asked_ids,
    finish,
    on_by_default,
    right,
)


def answers(study, question: str) -> list[Answered]:
    return [e.body for e in study.store.events(question) if isinstance(e.body, Answered)]


# A day


def test_a_first_day_is_ten_new_questions_and_then_nothing(person):
    study = person().open()
    done = finish(study, EVERYTHING)
    assert len(done) == 10
    assert len(set(asked_ids(done))) == 10
    assert {g.turn.item.stage for g in done} == {Stage.NEW}
    assert [g.turn.position for g in done] == list(range(1, 11))
    assert {g.turn.total for g in done} == {10}
    assert study.session.begin(EVERYTHING).left == 0
    assert study.store.count_events() == 11  # and the parameters, once


def test_a_day_has_no_more_new_questions_than_its_minutes(person):
    study = person(new_per_day=100, day_minutes=45).open()
    each = study.progress.estimate_minutes()
    waiting = study.session.begin(EVERYTHING).waiting
    assert 35 <= sum(each(item.question) for item in waiting) <= 45
    assert len(waiting) < 15
    for _ in waiting:
        answer(study, duration_ms=5 * 60_000)
    assert study.session.begin(EVERYTHING).left == 0
    assert len(study.session.begin(Filter(new=3)).waiting) == 3, "asked for"


def test_easy_questions_come_before_hard_ones(person, shipped):
    waiting = person(new_per_day=1000).open().session.begin(EVERYTHING).waiting
    entries = on_by_default(shipped)
    assert not any(entries[item.question].requires for item in waiting)
    free = [e for e in entries.values() if not e.requires and not e.builds_on]
    concepts = [entries[item.question].concept for item in waiting]
    assert {entry.concept for entry in free} <= set(concepts)
    assert len(set(concepts)) == len(concepts)  # siblings come on other days
    chosen = {g.turn.entry.difficulty for g in finish(person(new_per_day=5).open(), EVERYTHING)}
    assert chosen == {min(e.difficulty for e in shipped.entries.values())}


def test_topics_do_not_follow_one_another_while_others_are_due(person):
    study = person(new_per_day=40).open()
    study.session.begin(EVERYTHING)
    previous = None, ""
    while (asked := study.session.next()) is not None:
        topic, kind = asked.item.topic, asked.item.kind
        if topic == previous[0]:  # what is left of other topics would repeat the kind
            others = [item for item in study.session.queue.waiting if item.topic != topic]
            assert all(item.kind == previous[1] for item in others)
        previous = topic, kind
        answer(study)


def test_what_was_wrong_comes_back_after_three_others_and_is_logged_as_a_repeat(person):
    study = person().open()
    study.session.begin(EVERYTHING)
    first = answer(study, correct=False)
    others = [answer(study) for _ in range(3)]
    again = study.session.next()
    assert again is not None
    assert again.entry.id == first.turn.entry.id
    assert again.item.stage is Stage.REPEAT
    assert again.total == 11
    memory = study.progress.card(again.entry.id).memory
    answer(study)
    assert study.progress.card(again.entry.id).memory == memory
    assert [body.repeat for body in answers(study, again.entry.id)] == [False, True]
    assert again.entry.id not in asked_ids(others)
    assert len(finish(study)) == 6


def test_after_a_restart_the_rest_of_the_day_is_asked(person):
    one = person()
    study = one.open()
    study.session.begin(EVERYTHING)
    before = [answer(study, correct=n != 1) for n in range(4)]
    rest = finish(one.reopen(), EVERYTHING)
    assert len(rest) == 7
    assert rest[0].turn.entry.id == before[1].turn.entry.id
    assert rest[0].turn.item.stage is Stage.REPEAT
    assert not set(asked_ids(rest[1:])) & set(asked_ids(before))


def test_asking_twice_gives_the_same_question_in_the_same_order(person):
    study = person().open()
    study.session.begin(EVERYTHING)
    while (asked := study.session.next()) is not None:
        assert study.session.next() == asked
        answer(study)


# Days


def test_daily_limits_hold_over_two_days(person):
    one = person(new_per_day=6, reviews_per_day=4)
    study = one.open()
    first = finish(study, EVERYTHING)
    assert len(first) == 6
    one.clock.move(days=30)  # all of them are due by now
    second = finish(one.reopen(), EVERYTHING)
    assert Counter(g.turn.item.stage for g in second) == {Stage.NEW: 6, Stage.REVIEW: 4}
    assert not {g.turn.entry.id for g in second if g.turn.item.stage is Stage.NEW} & set(
        asked_ids(first)
    )
    one.clock.move(hours=2)
    assert one.reopen().session.begin(EVERYTHING).left == 0


def test_limits_count_what_was_done_earlier_that_day(person):
    one = person(new_per_day=5)
    study = one.open()
    study.session.begin(EVERYTHING)
    answer(study)
    answer(study, correct=False)
    limits = find_limits(one.reopen().progress)
    assert (limits.new, limits.reviews) == (3, 200)


def test_new_replaces_the_day_s_limit_and_limit_cuts_the_session(person):
    study = person(new_per_day=2).open()
    assert study.session.begin(Filter(new=7)).left == 7
    assert study.session.begin(Filter(new=7, limit=3)).left == 3
    assert study.session.begin(Filter(new=0)).left == 0
    assert study.session.begin(Filter(limit=1)).left == 1


def test_the_day_ends_at_four_in_the_morning(person):
    one = person()
    study = one.open()
    finish(study, EVERYTHING)
    one.clock.move(hours=15.9)  # 03:54
    assert study.session.begin(EVERYTHING).left == 0
    one.clock.move(hours=0.2)
    assert study.session.begin(EVERYTHING).left >= 10


def test_an_answer_late_at_night_belongs_to_the_evening(person):
    one = person()
    one.clock.move(hours=14)  # 02:00
    study = one.open()
    study.session.begin(EVERYTHING)
    graded = answer(study)
    assert answers(study, graded.turn.entry.id)[0].study_day == TODAY


def test_the_log_records_the_time_and_the_offset_of_the_clock(person):
    one = person()
    study = one.open()
    study.session.begin(EVERYTHING)
    one.clock.move(hours=1, offset_s=-18_000)
    (body,) = answers(study, answer(study).turn.entry.id)
    assert (body.utc_ms, body.offset_s) == (NOON.utc_ms + 3_600_000, -18_000)


@pytest.mark.parametrize(
    "change",
    [{"hours": -10}, {"offset_s": -10 * 3600}, {"hours": -2, "offset_s": 0}],
    ids=["clock set back to yesterday", "flight west to yesterday", "end of daylight saving"],
)
def test_a_clock_that_goes_back_does_not_give_the_day_twice(person, change):
    one = person()
    one.clock.move(hours=-6)  # 06:00
    study = one.open()
    finish(study, EVERYTHING)
    one.clock.move(**change)
    assert one.reopen().session.begin(EVERYTHING).left == 0
    assert study.day == TODAY


def test_a_clock_that_was_days_ahead_does_not_stop_the_calendar(person):
    one = person()
    one.clock.move(days=400)
    finish(one.open(), EVERYTHING)
    one.clock.moment = NOON
    study = one.reopen()
    assert study.day == TODAY
    assert len(finish(study, EVERYTHING)) == 10


# Verdicts


def test_what_was_previewed_is_what_happens_for_every_rating(person):
    one = person(new_per_day=4)
    study = one.open()
    study.session.begin(EVERYTHING)
    for rating in (AGAIN, HARD, GOOD, EASY):
        graded = answer(study)
        study.session.rate(graded, rating)
        memory = study.progress.card(graded.turn.entry.id).memory
        assert memory is not None
        assert memory.due_day - study.day == graded.days[rating]
    one.clock.move(days=40)
    study.session.begin(Filter(new=0))
    graded = answer(study)
    memory = study.progress.card(graded.turn.entry.id).memory
    assert memory is not None
    assert memory.due_day - study.day == graded.days[graded.suggestion.rating]


def test_an_override_moves_the_question_in_and_out_of_the_session(person):
    study = person(new_per_day=3).open()
    study.session.begin(EVERYTHING)
    graded = answer(study)
    study.session.rate(graded, AGAIN)
    assert study.session.queue.left == 3
    assert study.progress.card(graded.turn.entry.id).again_day == TODAY
    study.session.rate(graded, EASY)
    assert study.session.queue.left == 2
    assert study.progress.card(graded.turn.entry.id).again_day is None


def test_grading_stores_nothing(person):
    study = person().open()
    study.session.begin(EVERYTHING)
    asked = study.session.next()
    before = study.store.dump()
    study.session.grade(asked, right(asked))
    assert study.store.count_events() == 0
    assert study.store.dump() == before
    assert study.session.next() == asked


def test_an_answer_holds_what_was_done_and_with_which_text(person):
    study = person().open()
    study.session.begin(Filter(kind="choice"))
    asked = study.session.next()
    given = right(asked, hints=1, duration_ms=4321, confidence=Confidence.CERTAIN)
    graded = study.session.grade(asked, given)
    study.session.commit(graded)
    (body,) = answers(study, asked.entry.id)
    assert (body.kind, body.content_hash, body.rev) == ("choice", asked.entry.content_hash, 1)
    assert (body.correct, body.hints, body.duration_ms, body.confidence) == (True, 1, 4321, 3)
    assert (body.rating, body.rule) == (HARD, Rule.HINT_USED)
    assert body.drawn["order"] == list(asked.order)
    assert body.response == " ".join(map(str, given.picked))
    assert body.due_day == TODAY + graded.days[HARD]
    assert body.parameters_id in study.store.parameters()


@pytest.mark.parametrize("gave_up", [True, False])
def test_giving_up_is_wrong_even_with_the_right_answer_typed(person, gave_up):
    study = person().open()
    study.session.begin(EVERYTHING)
    asked = study.session.next()
    graded = study.session.grade(asked, right(asked, gave_up=gave_up))
    assert graded.grade.correct is not gave_up
    assert (graded.suggestion.rule is Rule.GAVE_UP) is gave_up


def test_an_empty_answer_is_wrong_for_every_kind(person):
    study = person(new_per_day=60).open()
    study.session.begin(EVERYTHING)
    kinds = set()
    while (asked := study.session.next()) is not None:
        kinds.add(asked.entry.kind)
        assert not study.session.grade(asked, Response()).grade.correct
        answer(study)
    assert kinds == set(KINDS)


def test_options_are_drawn_anew_at_each_review_and_stay_while_one_is_asked(person):
    one = person(new_per_day=60)
    first = {g.turn.entry.id: g.turn.order for g in finish(one.open(), EVERYTHING)}
    again = {
        g.turn.entry.id: g.turn.order for g in finish(person(new_per_day=60).open(), EVERYTHING)
    }
    assert first == again  # seeded by question and repetition: the same for everybody
    one.clock.move(days=60)
    later = {g.turn.entry.id: g.turn.order for g in finish(one.reopen(), Filter(new=0))}
    shuffled = [name for name in later if len(later[name]) > 3]
    assert all(sorted(later[name]) == sorted(first[name]) for name in later)
    assert sum(later[name] != first[name] for name in shuffled) > len(shuffled) / 2


def test_easy_needs_twenty_answers_of_the_kind_a_fast_one_and_certainty(person, shipped):
    one = person(new_per_day=30)
    study = one.open()
    finish(study, Filter(kind="choice"))  # 10 s each
    assert len(study.store.durations("choice")) >= 20
    one.clock.move(days=60)
    study = one.reopen()
    study.session.begin(Filter(kind="choice"))
    for seconds, sure, rating in [
        (2, Confidence.CERTAIN, EASY),  # of texts of different lengths
        (60, Confidence.CERTAIN, GOOD),
        (2, Confidence.FAIRLY, GOOD),
    ]:
        graded = answer(study, duration_ms=seconds * 1000, confidence=sure)
        assert graded.suggestion.rating is rating
    new = person(new_per_day=3).open()
    new.session.begin(EVERYTHING)
    assert answer(new, duration_ms=1, confidence=Confidence.CERTAIN).suggestion.rating is GOOD


# Narrowed sessions


def test_a_topic_and_a_kind_narrow_the_session(person, shipped):
    study = person(new_per_day=1000).open()
    for topic, count in shipped.topics.items():
        study.session.begin(Filter(topic=topic))
        assert study.session.queue.left <= count
        assert {item.topic for item in study.session.queue.waiting} <= {topic}
    study.session.begin(Filter(kind="number"))
    assert {shipped.entries[i.question].kind for i in study.session.queue.waiting} == {"number"}


def test_an_unknown_topic_or_kind_is_refused_with_those_there_are(person):
    study = person().open()
    with pytest.raises(UnknownTopic, match=r"deck\.topics"):
        study.session.begin(Filter(topic="xyzzy"))
    with pytest.raises(UsageError, match="essay") as refused:
        study.session.begin(Filter(kind="essay"))
    assert "recall" in english(refused.value)


# The home screen says what the session will be


def test_home_counts_what_a_session_asks_on_any_day(person):
    one = person(new_per_day=7, reviews_per_day=9)
    for pause in [0, 1, 2, 5, 20, 40]:
        one.clock.move(days=pause)
        study = one.reopen()
        shown = home(study)
        session = study.session.begin(EVERYTHING)
        assert shown.due + shown.new == session.left
        assert shown.questions == len(on_by_default(study.deck))
        if session.left > 2:
            answer(study, correct=False)
            answer(study)
        shown = home(study)
        assert shown.due + shown.new == study.session.begin(EVERYTHING).left
        finish(study)
        after = home(study)
        assert (after.due, after.new, after.minutes) == (0, 0, 0)


def test_home_says_when_something_is_next(person):
    one = person(new_per_day=5)
    study = one.open()
    assert (home(study).next_due_day, home(study).next_due) == (None, 0)
    finish(study, EVERYTHING)
    shown = home(study)
    dues = [c.memory.due_day for c in study.progress.cards.values() if c.memory]
    assert shown.next_due_day == min(dues)
    assert shown.next_due == dues.count(min(dues))
    one.clock.moment = Instant(NOON.utc_ms + (min(dues) - TODAY) * 86_400_000, 3600)
    assert home(one.reopen()).due == shown.next_due


def test_home_forecasts_the_interview(person):
    one = person(interview_date=as_date(TODAY + 30))
    study = one.open()
    assert (home(study).interview_in, home(study).forecast) == (30, None)
    finish(study, EVERYTHING)
    soon = home(study).forecast
    assert soon is not None
    assert 0 < soon < 1
    one.clock.move(days=31)
    assert (home(study).interview_in, home(study).forecast) == (None, None)


def test_drafts_are_counted(person, shipped):
    study = person().open()
    for name in list(shipped.entries)[:2]:
        study.attempts.save_draft(name, "words")
    assert home(study).drafts == 2
