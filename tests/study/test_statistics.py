"""Statistics and summary against logs made by hand, where the right counts are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace as Some
from uuid import uuid4

import pytest
from msgspec import structs

from quizapp.deck.deck import Deck
from quizapp.deck.index import CompiledDeck, Entry, PackEntry
from quizapp.domain.attempt import Response
from quizapp.domain.days import Instant
from quizapp.domain.log.events import (
    Answered,
    Body,
    Buried,
    ParametersSet,
    Rerated,
    Suspended,
    Unvoided,
    Voided,
)
from quizapp.domain.queue import Item, Stage, stage_of
from quizapp.domain.rating import Effort, Rating, Rule
from quizapp.domain.schedule import SCHEDULER_VERSION, Parameters
from quizapp.report.studying.day_card import topic_lines
from quizapp.report.words import Words
from quizapp.store.log import NewEvent
from quizapp.store.store import Store
from quizapp.study.day_card import TopicGain, day_card
from quizapp.study.overview import home
from quizapp.study.service import Study
from quizapp.study.statistics import FORECAST_DAYS, HISTORY_DAYS, statistics, summary
from quizapp.study.values import GradedResponse, Retention, Statistics
from quizapp.system.config import Settings
from quizapp.tui.screens.summary import summary_lines

DAY = 20_412
NOON_MS = DAY * 86_400_000 + 43_200_000
SECONDS = 20_000
PARAMETERS = Parameters()
GONE = "pack/gone"
A, B, C, D = (f"pack/{letter}" for letter in "abcd")
PACK = PackEntry("pack", "pack", "pack", "", "", on_by_default=True, version="", license="")
TOPICS = {A: "banks", B: "banks", C: "padding", D: "padding"}
TOPIC_MISSES = (("banks", 1), ("padding", 0))


class Clock:
    def now(self) -> Instant:
        return Instant(NOON_MS, 0)


def entry(name: str, topic: str, rev: int = 1) -> Entry:
    return Entry(
        name,
        "choice",
        topic,
        topic,
        topic,
        name,
        (),
        (1,),
        1,
        (),
        rev,
        (),
        "hash",
        "f.yaml",
        1,
        False,
        0,
        0,
    )


def deck(**revs: int) -> Deck:
    entries = [entry(name, topic, revs.get(name[-1], 1)) for name, topic in TOPICS.items()]
    return Deck(CompiledDeck(tuple(entries), (PACK,), 0, b""))


def build_answer(ago: int, rating: Rating = Rating.GOOD) -> Answered:
    return Answered(
        kind="choice",
        content_hash="hash",
        rev=1,
        study_day=DAY - ago,
        utc_ms=NOON_MS - ago * 86_400_000,
        offset_s=0,
        correct=rating is not Rating.AGAIN,
        score=1.0,
        duration_ms=SECONDS,
        rating=rating,
        rule=Rule.UNAIDED,
        scheduler=SCHEDULER_VERSION,
        parameters_id=PARAMETERS.id,
        due_day=DAY,
    )


def event(question: str | None, body: Body, utc_ms: int) -> NewEvent:
    return NewEvent(uuid4().hex, "session", question, body, utc_ms)


@dataclass
class Log:
    """A log that is written line by line; days count back from today."""

    store: Store

    def answer(self, question: str, ago: int, rating: Rating = Rating.GOOD) -> str:
        body = build_answer(ago, rating)
        return self.add(question, body, body.utc_ms)

    def add(self, question: str | None, body: Body, utc_ms: int = NOON_MS) -> str:
        new = event(question, body, utc_ms)
        self.store.append([new])
        return new.id

    def statistics(self, **revs: int) -> Statistics:
        return statistics(self.study(**revs))

    def study(self, **revs: int) -> Study:
        return Study(deck(**revs), self.store, Settings(), Clock())


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    with Store.open(tmp_path / "quiz.db") as store:
        log = Log(store)
        log.add(None, ParametersSet(parameters=PARAMETERS), 0)
        yield log


def test_an_empty_log(log):
    facts = log.statistics()
    assert facts.answers_by_day == {}
    assert facts.forecast == dict.fromkeys(range(DAY, DAY + FORECAST_DAYS), 0)
    assert facts.retention_all == facts.retention_month == Retention(0, 0)
    assert (facts.streak, facts.answers, facts.duration_ms, facts.forgotten) == (0, 0, 0, ())
    assert [(row.topic, row.questions, row.seen) for row in facts.topics] == [
        ("banks", 2, 0),
        ("padding", 2, 0),
    ]


def test_answers_are_counted_by_study_day(log):
    log.answer(A, 3)
    log.answer(B, 3)
    log.answer(A, 0)
    facts = log.statistics()
    assert facts.answers_by_day == {DAY - 3: 2, DAY: 1}
    assert (facts.answers, facts.duration_ms) == (3, 3 * SECONDS)


def test_a_repeat_takes_time_but_does_not_count(log):
    log.answer(A, 2, Rating.AGAIN)
    log.answer(A, 2)
    facts = log.statistics()
    assert facts.answers_by_day == {DAY - 2: 1}
    assert (facts.answers, facts.duration_ms) == (1, 2 * SECONDS)
    assert facts.retention_all == Retention(0, 0)


def test_what_was_undone_does_not_count_and_what_was_redone_does(log):
    log.answer(A, 9)
    undone, redone = log.answer(A, 4), log.answer(B, 2)
    log.add(A, Voided(target=undone))
    log.add(B, Voided(target=redone))
    log.add(B, Unvoided(target=redone))
    facts = log.statistics()
    assert facts.answers_by_day == {DAY - 9: 1, DAY - 2: 1}
    assert (facts.answers, facts.duration_ms) == (2, 2 * SECONDS)
    assert facts.retention_all == Retention(0, 0)


def test_the_calendar_holds_a_year_and_the_totals_hold_all(log):
    log.answer(A, HISTORY_DAYS)
    log.answer(A, HISTORY_DAYS - 1)
    facts = log.statistics()
    assert facts.answers_by_day == {DAY - HISTORY_DAYS + 1: 1}
    assert facts.answers == 2


def test_history_of_a_deleted_question_still_counts(log):
    log.answer(GONE, 1)
    facts = log.statistics()
    assert facts.answers == 1
    assert sum(facts.forecast.values()) == 0


# Retention


def test_retention_is_about_reviews_only(log):
    log.answer(A, 9)  # new: does not count
    log.answer(A, 6, Rating.AGAIN)
    log.answer(A, 6)  # repeat: does not count
    log.answer(A, 5, Rating.HARD)
    log.answer(A, 2, Rating.EASY)
    log.answer(B, 2, Rating.AGAIN)  # new
    facts = log.statistics()
    assert facts.retention_all == facts.retention_month == Retention(3, 2)
    assert facts.retention_all.share == pytest.approx(2 / 3)


def test_the_month_of_retention_is_thirty_study_days(log):
    for ago in (60, 30, 29, 0):
        log.answer(A, ago)
    facts = log.statistics()
    assert facts.retention_all == Retention(3, 3)
    assert facts.retention_month == Retention(2, 2)


def test_retention_goes_by_the_rating_that_stands(log):
    log.answer(A, 5)
    review = log.answer(A, 2)
    log.add(A, Rerated(target=review, rating=Rating.AGAIN, due_day=DAY))
    assert log.statistics().retention_all == Retention(1, 0)


def test_undoing_the_first_answer_makes_the_next_one_new(log):
    undone = log.answer(A, 5)
    log.answer(A, 2)
    assert log.statistics().retention_all == Retention(1, 1)
    log.add(A, Voided(target=undone))
    assert log.statistics().retention_all == Retention(0, 0)


# Streak


@pytest.mark.parametrize(
    ("ago", "streak"),
    [
        ([0], 1),
        ([1], 1),  # nothing yet today: the streak is not broken
        ([2], 0),
        ([2, 1, 0], 3),
        ([3, 2, 1], 3),
        ([5, 4, 2, 1, 0], 3),
        (range(400, -1, -1), 401),
    ],
    ids=str,
)
def test_streak(log, ago: Sequence[int], streak: int):
    bodies = [build_answer(days) for days in ago]
    log.store.append([event(A, body, body.utc_ms) for body in bodies])
    assert log.statistics().streak == streak
    assert home(log.study()).streak == streak


HOUR_MS = 3_600_000


def answer_at(log: Log, day: int, utc_ms: int, offset_h: int) -> None:
    body = structs.replace(build_answer(0), study_day=day, utc_ms=utc_ms, offset_s=offset_h * 3600)
    log.add(A, body, utc_ms)


def test_a_day_that_a_flight_east_skips_does_not_break_the_streak(log):
    home_ms = (DAY - 3) * 24 * HOUR_MS
    answer_at(log, DAY - 3, home_ms + 30 * HOUR_MS, -8)  # 22:00 in Los Angeles, of day - 3
    answer_at(log, DAY - 1, home_ms + 49 * HOUR_MS, 9)  # 10:00 in Tokyo, 19 hours later
    answer_at(log, DAY, NOON_MS, 9)
    assert log.statistics().streak == 3
    assert home(log.study()).streak == 3


def test_a_whole_day_without_an_answer_breaks_it_wherever_it_was(log):
    home_ms = (DAY - 3) * 24 * HOUR_MS
    answer_at(log, DAY - 3, home_ms + 18 * HOUR_MS, -8)  # 10:00 in Los Angeles
    answer_at(log, DAY - 1, home_ms + 64 * HOUR_MS, 9)  # 46 hours later, in Tokyo
    answer_at(log, DAY, NOON_MS, 9)
    assert log.statistics().streak == 2


def test_an_undone_day_breaks_the_streak(log):
    log.answer(A, 2)
    undone = log.answer(A, 1)
    log.answer(A, 0)
    log.add(A, Voided(target=undone))
    assert log.statistics().streak == 1


# Forecast


def test_what_is_overdue_is_due_today(log):
    log.answer(A, 300)
    log.answer(B, 0, Rating.EASY)
    due = log.store.card(B).memory.due_day
    assert DAY < due < DAY + FORECAST_DAYS
    facts = log.statistics()
    assert {day: n for day, n in facts.forecast.items() if n} == {DAY: 1, due: 1}


def test_the_forecast_leaves_out_what_is_suspended_and_waits_for_what_is_buried(log):
    log.answer(A, 300)
    log.answer(B, 300)
    log.add(A, Suspended(on=True))
    log.add(B, Buried(until=DAY + 2))
    assert {day: n for day, n in log.statistics().forecast.items() if n} == {DAY + 2: 1}


def test_a_raised_revision_is_due_at_once(log):
    log.answer(A, 1, Rating.EASY)
    log.answer(B, 0, Rating.EASY)
    facts = log.statistics(a=2, b=2)
    assert (facts.forecast[DAY], facts.forecast[DAY + 1]) == (1, 1)


def test_the_forecast_agrees_with_the_queue(log):
    """Up to each day, as many as the session of that day would ask if none were answered before."""
    log.answer(A, 300)
    log.answer(B, 12, Rating.EASY)
    log.answer(C, 4, Rating.AGAIN)
    log.answer(C, 0)
    log.answer(D, 0, Rating.AGAIN)
    log.add(B, Buried(until=DAY + 1))
    study = log.study(c=2)
    forecast = statistics(study).forecast
    candidates = study.course.candidates()
    for day in range(DAY, DAY + FORECAST_DAYS):
        stages = [stage_of(c, study.progress.cards.get(c.question), day) for c in candidates]
        due = sum(count for later, count in forecast.items() if later <= day)
        assert due == stages.count(Stage.REVIEW) + stages.count(Stage.REPEAT), day - DAY


# Leeches


def test_forgotten_often_is_from_four_lapses_and_a_leech_from_eight(log):
    for name, lapses in ((A, 3), (B, 4), (C, 8), (D, 4), (GONE, 9)):
        log.answer(name, 40)
        for ago in range(lapses):
            log.answer(name, 20 - ago, Rating.AGAIN)
    found = log.statistics().forgotten
    assert [(each.question, each.lapses) for each in found] == [(C, 8), (B, 4), (D, 4)]
    assert [each.question for each in found if each.is_leech] == [C]
    assert [each.question for each in found if each.set_aside] == [C]


# Summary


def build_graded(
    study: Study, name: str, stage: Stage, *, correct: bool, failures: int = 0
) -> GradedResponse:
    """An answer as the summary sees it; what it does not look at is left out."""
    found = study.deck.entries[name]
    turn = Some(item=Item(name, found.topic, stage), entry=found)
    effort = Effort(failures=failures, duration_ms=SECONDS)
    return Some(turn=turn, response=Response(effort=effort), grade=Some(correct=correct))


def test_summary_counts_first_attempts_and_all_the_time(log):
    study = log.study()
    answers = [
        build_graded(study, A, Stage.NEW, correct=False),
        build_graded(study, B, Stage.REVIEW, correct=True),
        build_graded(study, A, Stage.REPEAT, correct=True),
        build_graded(study, C, Stage.NEW, correct=True),
    ]
    facts = summary(study, answers)
    assert (facts.answered, facts.right, facts.repeats, facts.new) == (4, 2, 1, 2)
    assert facts.duration_ms == 4 * SECONDS
    assert facts.topics == {("banks", "banks"): (1, 2), ("padding", "padding"): (1, 1)}


def test_what_passed_after_a_failure_was_not_right_at_the_first_attempt(log):
    study = log.study()
    facts = summary(study, [build_graded(study, A, Stage.NEW, correct=True, failures=1)])
    assert (facts.answered, facts.right) == (1, 0)


def test_summary_of_nothing(log):
    facts = summary(log.study(), [])
    assert (facts.answered, facts.right, facts.topics, facts.due_tomorrow) == (0, 0, {}, 0)


def test_summary_says_what_comes_again_today(log):
    log.answer(B, 0, Rating.AGAIN)
    study = log.study()
    facts = summary(study, [build_graded(study, B, Stage.NEW, correct=False)])
    assert facts.again_today == 1
    lines = summary_lines(facts, day_card(study), Words("en"))
    assert any("again today" in line.plain for line in lines)
    assert any(line.plain.startswith("time") and line.plain.endswith(" 1 min") for line in lines)


def test_a_day_is_what_was_met_before_learned_and_missed(log):
    log.answer(A, 3)
    log.answer(A, 0, Rating.AGAIN)  # missed, though it was known
    log.answer(B, 0, Rating.AGAIN)
    log.answer(B, 0)  # learned at the second attempt
    log.answer(C, 0)
    card = day_card(log.study())
    assert (card.answered, card.right, card.duration_ms) == (3, 1, 4 * SECONDS)
    banks, padding = (TopicGain((name, name), 2, 0, 1, missed) for name, missed in TOPIC_MISSES)
    assert card.topics == (banks, padding)
    assert ["".join(part for part, _ in line) for line in topic_lines(card, Words("en"))] == [
        "",
        f"banks    ■!{' ' * 30}  +1 of 2, 1 missed",
        f"padding  ■·{' ' * 30}  +1 of 2",
        "▪ known before   ■ learned today   ! missed today   · not met yet",
    ]


def test_summary_says_what_is_due_tomorrow_with_what_was_left_today(log):
    log.answer(A, 300)  # overdue
    log.answer(B, 0, Rating.AGAIN)  # tomorrow
    log.answer(C, 0, Rating.EASY)  # later
    assert log.store.card(B).memory.due_day == DAY + 1
    assert summary(log.study(), []).due_tomorrow == 2
