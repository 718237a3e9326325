"""Study days: which day an answer belongs to, whatever the clock and the time zone do.

A study day is an integer, days since 1970-01-01, that begins at `ROLLOVER_HOUR` local time: who
studies past midnight is still in the same day. Times are integers: UTC milliseconds and an offset
in seconds, both kept with every answer. Reads no clock; the caller passes `Instant`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

ROLLOVER_HOUR = 4
EARLIEST_OFFSET_S, LATEST_OFFSET_S = -18 * 3600, 18 * 3600
"""Time zones reach from -12 to +14 hours; a zone that a person made up may be beyond."""
_DAY_S = 86_400
_EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Instant:
    """What the clock says: UTC in milliseconds, and the local offset from UTC in seconds."""

    utc_ms: int
    offset_s: int


def local_day(moment: Instant) -> int:
    """Return the study day that the wall clock alone gives."""
    local_s = moment.utc_ms // 1000 + moment.offset_s
    return (local_s - ROLLOVER_HOUR * 3600) // _DAY_S


def calendar_day(moment: Instant) -> int:
    """Return the day that a calendar shows, which begins at midnight local time."""
    return (moment.utc_ms // 1000 + moment.offset_s) // _DAY_S


def is_past_midnight(day: int, moment: Instant) -> bool:
    """Return True if the calendar is a day ahead of the study day, which goes on until 04:00."""
    return local_day(moment) == day == calendar_day(moment) - 1


def study_day(moment: Instant, latest: int | None) -> int:
    """Return the study day to file an answer under, given the latest one in the log.

    A clock set back, a flight westward or the end of daylight saving can make the wall clock repeat
    a day; the log then stays on its latest day, so no day is counted twice. A log more than one day
    ahead means that the clock was wrong *then*, and holding on to it would stop the calendar.
    """
    today = local_day(moment)
    if latest is not None and latest == today + 1:
        return latest
    return today


@lru_cache(maxsize=4096)
def day_start(day: int) -> datetime:
    """Return midnight UTC of `day`, the only time of day that the scheduler ever sees."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=day)


def as_date(day: int) -> date:
    """Return the calendar date that a study day is called by."""
    return _EPOCH + timedelta(days=day)


def from_date(value: date) -> int:
    """Return the study day called by `value`."""
    return (value - _EPOCH).days
