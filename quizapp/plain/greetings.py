"""Sentences around a session in plain mode: the welcome, the empty queue, the summary."""

from __future__ import annotations

from collections.abc import Iterator

from quizapp.deck.deck import Deck
from quizapp.report.dates import date_text
from quizapp.report.studying.plan import (
    coverage_text,
    goal_text,
    minutes_text,
    plan_text,
    time_text,
)
from quizapp.report.studying.study_plan import readiness_text
from quizapp.report.words import Words
from quizapp.study import planning
from quizapp.study.home_values import Home
from quizapp.study.service import Study
from quizapp.study.values import Summary


def welcome(home: Home, questions: int, words: Words, *, chosen: bool) -> Iterator[str]:
    """Yield the home line, unless the person chose what is asked, and how many questions it is."""
    yield words("app.title")
    if not chosen:
        time = time_text(home, words)
        yield words("plain.home", due=home.due, new=home.new, unseen=home.unseen, time=time)
    if home.interview_in is not None:
        key = "plain.interview" if home.interview_in else "plain.interview_today"
        yield words(key, n=home.interview_in)
    if home.overdue_minutes:
        yield words("home.new-waits", minutes=home.overdue_minutes)
    if home.left_out:
        yield words("plain.left_out", n=home.left_out)
    for pack, n in home.held_back.items():
        yield words("trust.held-back", n=n, pack=pack)
    if questions:
        yield words("plain.session", n=questions)


def introduce(study: Study, words: Words) -> Iterator[str]:
    """Say on a first start what the deck covers, and how long it takes at the person's pace."""
    new, entries = study.plan.to_meet(), study.deck.entries
    names = (entries[c.question].topic_names for c in new)
    yield coverage_text(names, words, off=study.course.count_off())
    planned, pace = study.plan.split_new(), study.settings.new_per_day
    if study.progress.goal is not None and planned is not None:
        yield goal_text(study.progress.goal, planned, words)
    else:
        met, found = planning.foresee_meeting(study)(pace, study.progress.interview)
        yield plan_text(met, words)
        yield minutes_text(found, words)


def describe_readiness(study: Study, words: Words) -> Iterator[str]:
    """Say which share of what is asked the person would answer; nothing without a day for it."""
    found = planning.foresee_readiness(study)()
    if found is not None:
        yield readiness_text(found, planning.name_topic(study, found), study.progress.goal, words)


def describe_empty(home: Home, deck: Deck, words: Words) -> Iterator[str]:
    """Say that nothing is to be asked, when there will be, and what the deck has."""
    if not deck.topics:
        yield words("plain.empty")
        return
    yield words("plain.nothing")
    if home.next_due_day is not None:
        yield words("plain.next", n=home.next_due, date=date_text(home.next_due_day, words))
    if home.unseen:
        yield words("plain.unseen", n=home.unseen)
    yield words("plain.topics")
    for topic, count in deck.topics.items():
        title = words.topic(deck.topic_names(topic))
        yield "- " + words("plain.topic", topic=topic, title=title, n=count)


def farewell(summary: Summary, words: Words) -> Iterator[str]:
    """Say what the session came to."""
    yield words(
        "plain.summary",
        n=summary.answered - summary.repeats,
        right=summary.right,
        new=summary.new,
        repeats=summary.repeats,
        time=_time(summary.duration_ms, words),
    )
    for names, (right, first) in summary.topics.items():
        name = words.topic(names)
        yield "- " + words("plain.summary_topic", topic=name, right=right, first=first)
    if summary.practice:
        yield words("plain.summary_practice", n=summary.practice)
    if summary.again_today:
        yield words("plain.again_today", n=summary.again_today)
    yield words("plain.tomorrow", n=summary.due_tomorrow)


def _time(duration_ms: int, words: Words) -> str:
    minutes, seconds = round(duration_ms / 60_000), round(duration_ms / 1000)
    return words("minutes", n=minutes) if minutes else words("plain.seconds", n=seconds)
