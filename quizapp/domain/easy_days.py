"""Days on which a person wants few reviews: weekdays, and single dates. Pure."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass
from datetime import date

from quizapp.domain.days import as_date

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_SEPARATORS = re.compile(r"[\s,]+")


@dataclass(frozen=True, slots=True)
class EasyDays(Container[int]):
    """Holds the study days that are easy: those on some weekdays, 0 for Monday, and some dates."""

    weekdays: frozenset[int] = frozenset()
    dates: frozenset[date] = frozenset()

    def __contains__(self, day: object) -> bool:
        if not isinstance(day, int):
            return False
        called = as_date(day)
        return called.weekday() in self.weekdays or called in self.dates


def read_easy_days(text: str) -> EasyDays:
    """Read weekdays and dates, in any order: `sat sun 2026-12-24`.

    Raises ValueError: with the first word that is neither.
    """
    words = [word for word in _SEPARATORS.split(text.strip().lower()) if word]
    weekdays = frozenset(WEEKDAYS.index(word) for word in words if word in WEEKDAYS)
    return EasyDays(weekdays, frozenset(map(_read_date, set(words) - set(WEEKDAYS))))


def _read_date(word: str) -> date:
    try:
        return date.fromisoformat(word)
    except ValueError:
        raise ValueError(word) from None
