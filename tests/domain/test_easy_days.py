"""Easy days: weekdays and dates, in any order; what is neither is named."""

from __future__ import annotations

from datetime import date

import pytest

from quizapp.domain.days import from_date
from quizapp.domain.easy_days import EasyDays, read_easy_days

SATURDAY, MONDAY = from_date(date(2026, 11, 28)), from_date(date(2026, 11, 30))


def test_weekdays_and_dates_are_easy():
    days = read_easy_days(" sat, Sun  2026-11-30 ")
    assert SATURDAY in days
    assert SATURDAY + 1 in days
    assert SATURDAY + 7 in days
    assert MONDAY in days
    assert MONDAY + 7 not in days
    assert read_easy_days("") == EasyDays()


@pytest.mark.parametrize("text", ["someday", "sat 2026-02-30", "2026-13-01"])
def test_what_is_no_day_is_named(text):
    with pytest.raises(ValueError, match=text.split()[-1]):
        read_easy_days(text)
