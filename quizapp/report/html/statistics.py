"""The statistics as a page: what was answered, remembered, is coming, and what fails most often."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from quizapp.domain.days import as_date
from quizapp.report.dates import date_text
from quizapp.report.heat_steps import STEPS, steps
from quizapp.report.html.drawing import label, rect, svg
from quizapp.report.html.page import page, section, table, table_row, text
from quizapp.report.numbers import percent
from quizapp.report.studying.progress import (
    grouped,
    minutes_per_day,
    row_name,
    times_text,
    totals_rows,
    weak_spots,
)
from quizapp.report.words import Words

if TYPE_CHECKING:
    from quizapp.study.values import Statistics

_DAYS = 7
_CELL, _MARGIN, _TOP = 14, 40, 18
_BAR, _HIGH, _BELOW = 16, 96, 18
_MINUTE_DAYS = 30


def statistics_page(facts: Statistics, say: Words) -> bytes:
    """Return the statistics as one file of HTML, which loads nothing."""
    return page(say("statistics.page", date=as_date(facts.day).isoformat()), _body(facts, say), say)


def _body(facts: Statistics, say: Words) -> Iterator[str]:
    yield _table([], totals_rows(facts, say))
    yield section(say("statistics.heatmap"), _heatmap(facts.answers_by_day, facts.day, say))
    minutes = {day: round(spent) for day, spent in minutes_per_day(facts, _MINUTE_DAYS).items()}
    yield section(say("statistics.minutes"), _bars(minutes, say, "statistics.minutes"))
    ahead = say("statistics.forecast", n=len(facts.forecast))
    yield section(ahead, _bars(facts.forecast, say, "stats.reviews-due"))
    yield section(say("statistics.topics"), _topics(facts, say))
    for heading, rows in weak_spots(facts, say):
        if rows:
            yield section(heading, _table([], rows))
    if facts.forgotten:
        rows = [(each.question, times_text(each, say)) for each in facts.forgotten]
        yield section(say("statistics.forgotten"), _table([], rows))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Draw a table; figures are on the right of their cells, all else is on the left."""
    top = table_row((("", text(name)) for name in head), "th") if head else ""
    return table(top, (table_row(map(_cell, cells)) for cells in rows), "figures")


def _cell(said: str) -> tuple[str, str]:
    return "" if said[:1].isdigit() or said == percent(None) else "name", text(said)


def _topics(facts: Statistics, say: Words) -> str:
    """Draw how well each topic is known: predicted recall, seen, true retention."""
    keys = ("due.topic", "due.known", "statistics.column.seen", "statistics.retention")
    rows = []
    for row in grouped(facts.packs, facts.topics):
        kept = None if row.is_pack else facts.topic_retention[row.pack, row.topic].share
        known = percent(row.known if row.seen else None)
        seen = say("statistics.seen", seen=row.seen, total=row.questions)
        rows.append((row_name(row, say, facts.packs), known, seen, percent(kept)))
    return _table([say(key) for key in keys], rows)


def _heatmap(counts: Mapping[int, int], today: int, say: Words) -> str:
    """Draw a year: weeks as columns, days of the week as rows."""
    first = min(counts, default=today)
    monday = first - as_date(first).weekday()
    bounds = steps(list(counts.values()))
    parts = [
        label(_MARGIN - 6, _TOP + row * _CELL + 10, say(f"weekday.{row}"), "end")
        for row in range(_DAYS)
    ]
    weeks = (today - monday) // _DAYS + 1
    named = -1
    for week in range(weeks):
        left = _MARGIN + week * _CELL
        date = as_date(monday + week * _DAYS)
        if date.day <= _DAYS and date.month != named:
            named = date.month
            parts.append(label(left, 11, say(f"month.{date.month}"), "start"))
        for row in range(_DAYS):
            day = monday + week * _DAYS + row
            if day <= today:
                count = counts.get(day, 0)
                step = sum(count >= bound for bound in bounds)
                kind = f"day-{step + STEPS - len(bounds)}" if step else "empty"
                title = f"{date_text(day, say)}: {count:,}"
                box = (left, _TOP + row * _CELL, _CELL - 2, _CELL - 2)
                parts.append(rect(box, kind, title))
    return svg(_MARGIN + weeks * _CELL, _TOP + _DAYS * _CELL, say("statistics.heatmap"), parts)


def _bars(days: Mapping[int, int], say: Words, title: str) -> str:
    """Draw a bar for each day, its date and number for a pointer, and the date below Mondays."""
    most = max(days.values(), default=0)
    highest = next((day for day, count in sorted(days.items()) if count and count == most), None)
    parts = []
    for place, (day, count) in enumerate(sorted(days.items())):
        tall = max(1, round(_HIGH * count / most)) if count else 1
        box = (place * _BAR, _TOP + _HIGH - tall, _BAR - 3, tall)
        parts.append(rect(box, "calm" if count else "empty", f"{date_text(day, say)}: {count:,}"))
        if day == highest:
            parts.append(label(place * _BAR + _BAR // 2, _TOP + _HIGH - tall - 4, f"{count:,}"))
        if as_date(day).weekday() == 0:
            below = _TOP + _HIGH + _BELOW - 4
            parts.append(label(place * _BAR, below, date_text(day, say), "start"))
    return svg(max(1, len(days)) * _BAR + 80, _TOP + _HIGH + _BELOW, say(title), parts)
