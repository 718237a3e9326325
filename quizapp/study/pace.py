"""How long a person takes for a question of each kind."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import mean

from quizapp.store.store import Store

MINUTES: Mapping[str, float] = {
    "choice": 0.5,
    "number": 1.0,
    "trace": 1.5,
    "recall": 3.0,
    "spot": 2.5,
    "index": 6.0,
    "kernel": 12.0,
}
"""How long a question of each kind takes until the person's own times are known."""

_PACE_ANSWERS = 50
"""So many of the latest answers of each kind make the person's own pace."""

_LEAST_TIMES = 3
"""Fewer answers of a kind make no pace."""


def minutes_each(store: Store, kind: str) -> float:
    """Estimate the minutes that a question of a kind takes, by the person's own pace if known.

    The mean, since minutes are added up: a few answers take much longer than the median.
    """
    times = store.durations(kind, _PACE_ANSWERS)
    return mean(times) / 60_000 if len(times) >= _LEAST_TIMES else MINUTES[kind]
