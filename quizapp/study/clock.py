"""The clock: the one place that asks the machine for the time. Tests pass another."""

from __future__ import annotations

import time
from typing import Protocol

from quizapp.domain.days import EARLIEST_OFFSET_S, LATEST_OFFSET_S, Instant


class TimeSource(Protocol):
    """Anything that knows the time."""

    def now(self) -> Instant:
        """Return the present moment."""


class SystemClock:
    """The machine's clock and its local time zone, daylight saving included.

    A zone that a person made up counts up to the bounds of an event's offset.
    """

    def now(self) -> Instant:
        """Return the present moment."""
        seconds = time.time()
        offset_s = time.localtime(seconds).tm_gmtoff
        return Instant(int(seconds * 1000), min(max(offset_s, EARLIEST_OFFSET_S), LATEST_OFFSET_S))
