"""The heatmap of answers: weeks as columns, days of the week as rows, a sign for how many.

Pure. The signs differ in shape, so it reads the same without colour; the scale says in numbers what
each sign means.
"""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content

from quizapp.domain.days import as_date
from quizapp.report.heat_steps import steps
from quizapp.report.words import Words
from quizapp.study.statistics import HISTORY_DAYS
from quizapp.system.width import columns as cells
from quizapp.tui.wrap import pad

NONE = "·"
SIGNS = "░▒▓█"
"""One per step of `heat_steps`."""
_WEEK_COLUMNS = 2
_DAYS = 7


def heatmap(counts: Mapping[int, int], today: int, say: Words, width: int) -> list[Content]:
    """Draw months, seven days and the scale, with as many weeks as `width` columns hold.

    `counts`: answers by study day, days without any left out.
    """
    names = [say(f"weekday.{n}") for n in range(_DAYS)]
    margin = max(map(cells, names)) + 1
    monday = today - as_date(today).weekday()
    weeks = min((width - margin) // _WEEK_COLUMNS, HISTORY_DAYS // _DAYS)
    mondays = [monday - _DAYS * back for back in reversed(range(weeks))]
    bounds = steps([n for day, n in counts.items() if day >= mondays[0]])
    lines = [Content(" " * margin + _months(mondays, say)).stylize("dim")]
    for row, name in enumerate(names):
        signs = "".join(_sign(counts, day + row, today, bounds) for day in mondays)
        lines.append(Content.assemble((pad(name, margin), "dim"), (signs, "$text-accent")))
    return [*lines, Content(" " * margin + scale(bounds)).stylize("dim")]


def scale(bounds: list[int]) -> str:
    """Say what each sign means: `· 0   ░ 1–3   ▒ 4–8   █ 9+`."""
    parts = [f"{NONE} 0"]
    for position, low in enumerate(bounds):
        last = position == len(bounds) - 1
        high = None if last else bounds[position + 1] - 1
        span = f"{low}+" if high is None else (f"{low}" if low == high else f"{low}–{high}")
        parts.append(f"{_of(position, bounds)} {span}")
    return "   ".join(parts)


def _sign(counts: Mapping[int, int], day: int, today: int, bounds: list[int]) -> str:
    if day > today:
        return " " * _WEEK_COLUMNS
    passed = sum(counts.get(day, 0) >= low for low in bounds)
    return (_of(passed - 1, bounds) if passed else NONE).ljust(_WEEK_COLUMNS)


def _of(position: int, bounds: list[int]) -> str:
    """Return the sign of a step: the last is full, whatever the number of steps."""
    return SIGNS[position + len(SIGNS) - len(bounds)]


def _months(mondays: list[int], say: Words) -> str:
    """Write each month's name above its first whole week, where it has room."""
    text = ""
    for position, monday in enumerate(mondays):
        date = as_date(monday)
        column = position * _WEEK_COLUMNS
        if date.day <= _DAYS and cells(text) <= column:
            text += " " * (column - cells(text)) + say(f"month.{date.month}") + " "
    return text
