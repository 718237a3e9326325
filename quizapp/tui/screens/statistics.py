"""Statistics: what was answered, what is remembered, what is coming."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import ClassVar

from textual import work
from textual.binding import BindingType
from textual.content import Content

from quizapp.report.dates import date_text, today_text
from quizapp.report.numbers import percent
from quizapp.report.studying.progress import (
    grouped,
    maturities,
    minutes_per_day,
    times_text,
    weak_spots,
)
from quizapp.report.words import Words
from quizapp.study.home_values import TopicRow
from quizapp.study.statistics import statistics
from quizapp.study.values import Retention, Statistics
from quizapp.system.width import columns as cells
from quizapp.tui.gauge import FULL, gauge
from quizapp.tui.heatmap import heatmap
from quizapp.tui.keys import SCREENS, bindings
from quizapp.tui.screens.base import PageScreen, tells
from quizapp.tui.topic_table import known_style
from quizapp.tui.widgets.bars import TopLine
from quizapp.tui.widgets.flow import Flow, join_columns
from quizapp.tui.wrap import clip, pad

_NAME = 14
_BESIDE, _WIDE = 74, 100
"""Columns from which topics stand beside the forecast, and from which it looks further ahead."""
_DAYS = {False: 14, True: 30}
_FORECAST = {False: 32, True: 46}
"""Days of the forecast and its columns, by whether the page is wide."""
_GAP = 3
_MINUTE_DAYS = 60
_COLUMNS = "·▁▂▃▄▅▆▇█"
"""No time, then eight heights."""
_TOPIC, _LONG_TOPIC, _BAR, _SEEN = 19, 31, 16, 11


class StatisticsScreen(PageScreen):
    """All of it on one page."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["statistics"])
    HEADING = "statistics.title"
    KEYS_SHOWN = ("browse", "settings", "palette:everything", "help", "back")

    def on_mount(self) -> None:
        """Say that it takes a while to read a long log."""
        reading = Content(self.say("statistics.reading")).stylize("dim")
        self.query_one(Flow).show(lambda _: [Content(""), reading])
        super().on_mount()

    def on_screen_resume(self) -> None:
        """Read again: what was answered meanwhile counts."""
        self._read()

    async def redraw(self) -> None:
        """Read again: what was undone does not count."""
        self._read()

    @work(exclusive=True)
    @tells
    async def _read(self) -> None:
        facts = await self.call(statistics, self.study)
        target = await self.call(lambda: self.study.progress.parameters.retention)
        say = self.say
        self.query_one(TopLine).show(
            say("statistics.title"), today_text(facts.day, self.study.clock.now(), say)
        )
        self.query_one(Flow).show(partial(page, facts, target, say))


def page(facts: Statistics, target: float, say: Words, width: int) -> list[Content]:
    """Draw the whole page at a width; `target` is the retention aimed at, 0–1."""
    if not facts.answers:
        return [Content(""), Content(say("statistics.none"))]
    empty = Content("")
    return [
        empty,
        *_totals(facts, say),
        *_retention_lines(facts, target, say),
        empty,
        _heading("statistics.heatmap", say),
        *heatmap(facts.answers_by_day, facts.day, say, width),
        empty,
        *_minutes(facts, say, width),
        empty,
        *_ahead(facts, say, width),
    ]


def _ahead(facts: Statistics, say: Words, width: int) -> list[Content]:
    """Draw what is coming and what is known, beside one another where there is room."""
    wide = width >= _WIDE
    left_width = _FORECAST[wide]
    right_width = width - left_width - _GAP if width >= _BESIDE else width
    left = list(_forecast(facts, _DAYS[wide], left_width, say))
    left += _weak_spots(facts, say, left_width)
    right = [*_topics(facts, say, right_width), *_forgotten(facts, say, right_width)]
    if width < _BESIDE:
        return [*left, Content(""), *right]
    return join_columns(left, right, left_width, _GAP)


def _heading(key: str, say: Words, **fields: object) -> Content:
    return Content(say(key, **fields)).stylize("bold")


def _totals(facts: Statistics, say: Words) -> Iterator[Content]:
    """Draw answers, time, streak."""
    hours, minutes = divmod(round(facts.duration_ms / 60_000), 60)
    time = say("statistics.hours", hours=hours, minutes=minutes) if hours else ""
    time = say("statistics.time", time=time or say("minutes", n=minutes))
    yield _fact(say("statistics.answers"), f"{facts.answers:,}", time)
    days = say("statistics.streak-days", n=facts.streak)
    yield _fact(say("statistics.streak"), str(facts.streak), days)


def _retention_lines(facts: Statistics, target: float, say: Words) -> Iterator[Content]:
    """Draw true retention: of the last 30 days, overall, and what is aimed at."""
    name = say("statistics.retention")
    yield _share(name, facts.retention_month, say("statistics.month"), say)
    yield _share("", facts.retention_all, say("statistics.ever"), say)
    for name, kept in maturities(facts, say):
        yield _share("", kept, name, say)
    yield _fact("", f"{100 * target:.0f}%", say("statistics.target"))


def _share(name: str, kept: Retention, note: str, say: Words) -> Content:
    if kept.bounds is None:
        return _fact(name, "–", f"{say('statistics.no-reviews')} · {note}")
    low, high = kept.bounds
    likely = f"{100 * low:.0f}–{100 * high:.0f}%"
    passed = say("statistics.passed", passed=f"{kept.passed:,}", answers=f"{kept.answers:,}")
    return _fact(name, percent(kept.share), f"{likely} · {passed} · {note}")


def _fact(name: str, number: str, rest: str) -> Content:
    return Content.assemble(pad(name, _NAME), (f"{number:>7}", "bold"), (f"  {rest}", "dim"))


def _forecast(facts: Statistics, days: int, width: int, say: Words) -> Iterator[Content]:
    """Draw a bar per day; the longest takes what room there is."""
    coming = dict(sorted(facts.forecast.items())[:days])
    yield _heading("statistics.forecast", say, n=len(coming))
    most = max(coming.values(), default=0)
    names = {day: date_text(day, say) for day in coming}
    margin = max(map(cells, names.values()), default=0)
    digits = len(str(most))
    room = width - margin - digits - 3
    for day, count in coming.items():
        length = max(1, round(count / most * room)) if count else 0
        yield Content.assemble(
            (pad(names[day], margin), "dim"),
            f" {count or '·':>{digits}} ",
            (FULL * length, "$accent"),
        )


def _topics(facts: Statistics, say: Words, width: int) -> Iterator[Content]:
    """Draw how well each topic is known."""
    yield _heading("statistics.topics", say)
    length = min(_BAR, width - _TOPIC - _SEEN - 6)
    topic = max(_TOPIC, min(_LONG_TOPIC, width - length - _SEEN - 6))
    for row in grouped(facts.packs, facts.topics):
        percent = f"{100 * row.known:4.0f}%" if row.seen else "  –  "
        seen = say("statistics.seen", seen=row.seen, total=row.questions)
        yield Content.assemble(
            (pad(say.topic(row.names), topic - 1) + " ", _row_style(row)),
            gauge(row.known, length, known_style(row)),
            (f" {percent}", "dim" if row.is_thin else ""),
            (" " * max(1, _SEEN - cells(seen)) + seen, "dim"),
        )


def _minutes(facts: Statistics, say: Words, width: int) -> Iterator[Content]:
    """Draw the time of each of the last days as a column of one line, the most beside its name."""
    spent = minutes_per_day(facts, min(_MINUTE_DAYS, width - _NAME)).values()
    most = max(spent)
    yield _heading("statistics.minutes", say)
    steps = len(_COLUMNS) - 1
    columns = "".join(_COLUMNS[math.ceil(each / most * steps) if most else 0] for each in spent)
    longest = say("statistics.longest", n=round(most))
    yield Content.assemble((columns, "$text-accent"), (f"  {longest}", "dim"))


def _weak_spots(facts: Statistics, say: Words, width: int) -> Iterator[Content]:
    """Draw calibration, and what fails or is left out most often."""
    for heading, rows in weak_spots(facts, say):
        if not rows:
            continue
        yield Content("")
        yield Content(heading).stylize("bold")
        margin = max(cells(figure) for _, figure in rows)
        for name, figure in rows:
            bare = clip(name, width - margin - _GAP)
            yield Content.assemble((" " * (margin - cells(figure)) + figure, "dim"), f"  {bare}")


def _row_style(row: TopicRow) -> str:
    """Set packs apart from their topics, and those that are off from the others."""
    if not row.on:
        return "dim"
    return "$text-accent" if row.is_pack else ""


def _forgotten(facts: Statistics, say: Words, width: int) -> Iterator[Content]:
    """Draw what is forgotten again and again."""
    if not facts.forgotten:
        return
    yield Content("")
    yield _heading("statistics.forgotten", say)
    counted = [times_text(each, say) for each in facts.forgotten]
    margin = max(map(cells, counted)) + _GAP
    for each, times in zip(facts.forgotten, counted, strict=True):
        bare = pad(each.question.rpartition("/")[2], width - margin)
        yield Content(bare + " " * (margin - cells(times)) + times)
