"""A study day in the person's words."""

from __future__ import annotations

from quizapp.domain.days import ROLLOVER_HOUR, Instant, as_date, is_past_midnight
from quizapp.report.words import Words


def date_text(day: int, say: Words) -> str:
    """Name a day without its year: Fri 20 Nov."""
    date = as_date(day)
    return say(
        "date",
        weekday=say(f"weekday.{date.weekday()}"),
        day=date.day,
        month=say(f"month.{date.month}"),
        month_number=date.month,
    )


def today_text(day: int, now: Instant, say: Words) -> str:
    """Name the study day that it is; past midnight also until when it goes on."""
    named = date_text(day, say)
    if is_past_midnight(day, now):
        return say("date.until", date=named, hour=ROLLOVER_HOUR)
    return named
