"""A study day in the person's words."""

from __future__ import annotations

from quizapp.domain.days import as_date
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
