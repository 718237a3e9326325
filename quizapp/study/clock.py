"""The clock: the one place that asks the machine for the time. Tests pass another."""

from __future__ import annotations

import time
from typing import Protocol

from quizapp.domain.days import Moment


class TimeSource(Protocol):
    """Anything that knows the time."""

    def now(self) -> Moment:
        """Return the present moment."""


class SystemClock:
    """The machine's clock and its local time zone, daylight saving included."""

    def now(self) -> Moment:
        """Return the present moment."""
        seconds = time.time()
        return Moment(int(seconds * 1000), time.localtime(seconds).tm_gmtoff)
