"""What is due, and the statistics, as lines of text and as plain data for `--json`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from quizapp.domain.days import as_date
from quizapp.domain.question import prose
from quizapp.report.dates import date_text
from quizapp.report.first_words import first_words
from quizapp.report.lines import Line, sentence, table
from quizapp.report.numbers import percent
from quizapp.system.width import columns

if TYPE_CHECKING:
    from quizapp.deck.deck import Deck
    from quizapp.report.words import Words
    from quizapp.study.home_values import Home, TopicRow
    from quizapp.study.values import ForgottenQuestion, Retention, Statistics

DAYS = 14
"""Days of answers, and of forecast, that the text shows; JSON has all."""

_BAR = 30
_HARDEST = 40
"""Columns of the beginning of a question, beside a topic's figures."""
_MS_PER_MINUTE = 60_000


def name_hardest(deck: Deck, topics: Iterable[TopicRow], say: Words) -> Mapping[str, str]:
    """Return the beginning of each topic's hardest question, by its id."""
    asked = [row.hardest for row in topics if row.hardest]
    texts = {name: first_words(deck.question(name), say.language) for name in asked}
    return {name: _begin(text) for name, text in texts.items()}


def _begin(text: str) -> str:
    """Cut a text where it would not fit beside a topic's figures."""
    room = _HARDEST
    for position, character in enumerate(text):
        room -= columns(character)
        if room <= 0:
            return f"{text[:position]}…"
    return text


def home_lines(home: Home, say: Words, hardest: Mapping[str, str]) -> Iterator[Line]:
    """Show what is due, and how well each topic is known; `hardest` by `name_hardest`."""
    yield from table(list(_home_rows(home, say)), right=(1,))
    if home.interview_in is not None:
        key = "home.interview" if home.interview_in else "home.interview-today"
        interview = say(key, n=home.interview_in)
        if home.forecast is not None:
            share = percent(home.forecast)
            learned = home.whole.seen
            interview = say("due.forecast", interview=interview, percent=share, n=learned)
        yield sentence(interview)
    if home.overdue_minutes:
        yield sentence(say("home.new-waits", minutes=home.overdue_minutes), "note")
    if home.packs:
        yield sentence("")
        yield from _topic_lines(home.packs, home.topics, say, hardest)
    else:
        yield sentence(say("due.no-questions"))


def _home_rows(home: Home, say: Words) -> Iterator[tuple[str, str, str]]:
    yield say("due.due"), str(home.due), ""
    unseen = say("due.unseen", n=home.unseen)
    if home.planned is not None:
        unseen = say("due.planned", n=home.planned, unseen=home.unseen)
    yield say("due.new"), str(home.new), unseen
    if home.minutes:
        about = say("due.minutes-limit" if home.runs_over else "due.minutes")
        yield say("due.time"), str(home.shown_minutes), about
    if home.next_due_day is not None:
        on = say("due.on", date=date_text(home.next_due_day, say))
        yield say("due.next"), str(home.next_due), on
    if home.drafts:
        yield say("due.drafts"), str(home.drafts), say("due.half-written")
    if home.left_out:
        yield say("due.left-out"), str(home.left_out), say("due.with-errors")
    for pack, questions in home.held_back.items():
        yield say("due.held-back"), str(questions), say("due.runs-python", pack=pack)


def _topic_lines(
    packs: Sequence[TopicRow], topics: Sequence[TopicRow], say: Words, hardest: Mapping[str, str]
) -> list[Line]:
    names = ("due.topic", "due.known", "due.due", "due.new", "home.hardest")
    rows = [
        (row_name(row, say, packs), *_topic_cells(row, say, hardest))
        for row in grouped(packs, topics)
    ]
    return table([tuple(map(say, names)), *rows], right=(1, 2, 3))


def grouped(packs: Sequence[TopicRow], topics: Sequence[TopicRow]) -> Iterator[TopicRow]:
    """Yield topics, each below the row of its pack, unless there is but one pack, which is on."""
    if len(packs) == 1 and packs[0].on:
        yield from topics
        return
    for pack in packs:
        yield pack
        yield from (row for row in topics if row.pack == pack.pack)


def row_name(row: TopicRow, say: Words, packs: Sequence[TopicRow]) -> str:
    """Name a row; a topic is indented below its pack."""
    below = "" if row.is_pack or (len(packs) == 1 and packs[0].on) else "  "
    return below + say.topic(row.names)


def _topic_cells(row: TopicRow, say: Words, hardest: Mapping[str, str]) -> tuple[str, ...]:
    known = percent(row.known) if row.seen else "–"
    if not row.on:
        waiting = [say("home.reviews-wait", n=row.resting)] if row.resting else []
        about = " · ".join([say("settings.pack-off"), *waiting]) if row.is_pack else ""
        return known, "–", "–", about
    return known, str(row.due), str(row.new), hardest.get(row.hardest, "")


def home_as_plain(home: Home, studied_days: int) -> dict[str, Any]:
    """Return what `quiz due --json` prints; the keys are promised in docs/cli.md.

    `studied_days`: on how many days something was answered.
    """
    upcoming = None
    if home.next_due_day is not None:
        upcoming = {"day": as_date(home.next_due_day).isoformat(), "questions": home.next_due}
    return {
        "day": as_date(home.day).isoformat(), "due": home.due, "new": home.new,
        "unseen": home.unseen, "planned": home.planned, "questions": home.questions,
        "left_out": home.left_out, "held_back": dict(home.held_back), "minutes": home.minutes,
        "overdue_minutes": home.overdue_minutes, "drafts": home.drafts,
        "studied_days": studied_days, "next": upcoming, "interview_in_days": home.interview_in,
        "interview_forecast": home.forecast, "packs": _packs_as_plain(home.packs),
        "topics": _topics_as_plain(home.topics),
    }  # fmt: skip


def _topics_as_plain(topics: Sequence[TopicRow]) -> list[dict[str, Any]]:
    return [
        {
            "pack": row.pack, "topic": row.topic, "questions": row.questions, "seen": row.seen,
            "known": round(row.known, 4), "due": row.due, "new": row.new,
            "hardest": row.hardest or None,
        }
        for row in topics
    ]  # fmt: skip


def _packs_as_plain(packs: Sequence[TopicRow]) -> list[dict[str, Any]]:
    return [
        {
            "pack": row.pack, "on": row.on, "questions": row.questions, "seen": row.seen,
            "known": round(row.known, 4), "due": row.due, "new": row.new, "resting": row.resting,
        }
        for row in packs
    ]  # fmt: skip


def statistics_lines(facts: Statistics, say: Words, hardest: Mapping[str, str]) -> Iterator[Line]:
    """Show answers, retention, what comes, each topic, and what is forgotten most often."""
    yield from table(totals_rows(facts, say), right=(1,))
    yield from (sentence(""), sentence(say("stats.by-day")))
    yield from _day_lines(facts.answers_by_day, range(facts.day - DAYS + 1, facts.day + 1), say)
    yield from (sentence(""), sentence(say("stats.reviews-due")))
    yield from _day_lines(facts.forecast, range(facts.day, facts.day + DAYS), say)
    yield sentence("")
    yield from _topic_lines(facts.packs, facts.topics, say, hardest)
    forgotten = [
        (each.question, str(each.lapses), say("statistics.set-aside") if each.set_aside else "")
        for each in facts.forgotten
    ]
    lists: list[tuple[str, Sequence[Sequence[str]]]] = [*weak_spots(facts, say)]
    for heading, found in (*lists, (say("stats.forgotten"), forgotten)):
        if found:
            yield from (sentence(""), sentence(heading))
            yield from table(found, right=(1,), indent="  ")


def totals_rows(facts: Statistics, say: Words) -> list[tuple[str, str, str]]:
    """List answers, streak and true retention: a name, a figure, and what it is of."""
    minutes = say("stats.in-minutes", n=facts.duration_ms // _MS_PER_MINUTE)
    retentions = [
        (say("statistics.month"), facts.retention_month),
        (say("statistics.ever"), facts.retention_all),
        *maturities(facts, say),
    ]
    names = [say("stats.retention"), *[""] * len(retentions[1:])]
    return [
        (say("stats.answers"), f"{facts.answers:,}", minutes),
        (say("stats.streak"), str(facts.streak), say("stats.days", n=facts.streak)),
        *(
            (name, percent(kept.share), _reviews(of, kept, say))
            for name, (of, kept) in zip(names, retentions, strict=True)
        ),
    ]


def maturities(facts: Statistics, say: Words) -> Iterator[tuple[str, Retention]]:
    """Yield the retention of young and of mature reviews, each with its name."""
    yield say("statistics.young"), facts.retention_young
    yield say("statistics.mature"), facts.retention_mature


def minutes_per_day(facts: Statistics, days: int) -> dict[int, float]:
    """Return the minutes of each of the last `days` study days, today included."""
    last = range(facts.day - days + 1, facts.day + 1)
    return {day: facts.duration_by_day.get(day, 0) / _MS_PER_MINUTE for day in last}


def weak_spots(facts: Statistics, say: Words) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield tables of names and counts with their headings; a table may be empty."""
    yield (
        say("statistics.calibration"),
        [
            (
                say(f"confidence.{int(confidence)}"),
                say("statistics.right", right=f"{right:,}", answers=f"{answers:,}"),
            )
            for confidence, (answers, right) in facts.calibration.items()
            if answers
        ],
    )
    checks = [(check, f"{failed:,}") for check, failed in facts.failed_checks]
    yield say("statistics.checks"), checks
    yield (
        say("statistics.points"),
        [
            (
                prose(each.point, say.language),
                say("statistics.missed", missed=each.missed, answers=each.answers),
            )
            for each in facts.missed_points
        ],
    )


def _reviews(of: str, retention: Retention, say: Words) -> str:
    reviews = say("count.reviews", n=retention.answers)
    if retention.bounds is None:
        return say("stats.retention-of", of=of, reviews=reviews)
    low, high = (percent(share) for share in retention.bounds)
    return say("stats.retention-likely", of=of, reviews=reviews, low=low, high=high)


def _day_lines(days: Mapping[int, int], shown: range, say: Words) -> list[Line]:
    """Draw a bar for each day; days on which there is nothing have no line."""
    most = max((days.get(day, 0) for day in shown), default=0)
    rows = [
        (date_text(day, say), str(count), "#" * max(1, round(_BAR * count / most)))
        for day in shown
        if (count := days.get(day, 0))
    ]
    return table(rows or [(say("stats.none"), "", "")], right=(1,), indent="  ")


def statistics_as_plain(facts: Statistics) -> dict[str, Any]:
    """Return what `quiz stats --json` prints; the keys are promised in docs/cli.md."""
    return {
        "day": as_date(facts.day).isoformat(),
        "streak_days": facts.streak,
        "answers": facts.answers,
        "duration_ms": facts.duration_ms,
        "answers_by_day": _by_date(facts.answers_by_day),
        "duration_by_day": _by_date(facts.duration_by_day),
        "forecast": _by_date(facts.forecast),
        "retention": {
            "month": _retention_as_plain(facts.retention_month),
            "all": _retention_as_plain(facts.retention_all),
            "young": _retention_as_plain(facts.retention_young),
            "mature": _retention_as_plain(facts.retention_mature),
        },
        "calibration": [
            {"confidence": confidence.name.lower(), "answers": answers, "right": right}
            for confidence, (answers, right) in facts.calibration.items()
        ],
        "failed_checks": [
            {"check": check, "submissions": failed} for check, failed in facts.failed_checks
        ],
        "missed_points": [
            {
                "question": each.question,
                "point": prose(each.point, "en"),
                "answers": each.answers,
                "missed": each.missed,
            }
            for each in facts.missed_points
        ],
        "packs": _packs_as_plain(facts.packs),
        "topics": [
            topic | {"retention": _retention_as_plain(facts.topic_retention[key])}
            for topic in _topics_as_plain(facts.topics)
            for key in [(topic["pack"], topic["topic"])]
        ],
        "forgotten": [asdict(each) for each in facts.forgotten],
        "leeches": [
            {"question": each.question, "lapses": each.lapses}
            for each in facts.forgotten
            if each.is_leech
        ],
    }


def times_text(forgotten: ForgottenQuestion, say: Words) -> str:
    """Say how often a question was forgotten, and whether it is set aside."""
    times = say("statistics.times", n=forgotten.lapses)
    return f"{times}, {say('statistics.set-aside')}" if forgotten.set_aside else times


def _by_date(days: Mapping[int, int]) -> dict[str, int]:
    return {as_date(day).isoformat(): count for day, count in sorted(days.items())}


def _retention_as_plain(retention: Retention) -> dict[str, Any]:
    return {
        "answers": retention.answers,
        "passed": retention.passed,
        "share": None if retention.share is None else round(retention.share, 4),
        "bounds": None if retention.bounds is None else [round(at, 4) for at in retention.bounds],
    }
