"""Operations of a launch, counted down to its budget; tells now and then that it goes on.

An operation takes about a nanosecond, or less: what many threads do alike is quicker than it is
charged. So a launch may also be bounded by the processor time of its thread: seconds of a machine
as quick as the one on which limits were chosen, so that a slow one passes the same kernels. Knows
nothing of what is done.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import thread_time

import numpy as np

_PORTION = 10_000_000
"""Operations between two tellings: some 10 ms."""
_USUAL = 0.003
"""Seconds that `_time_loop` takes on the machine on which limits were chosen."""
_SLOWEST = 4.0
"""How many times as long as its limit a launch may take on a slow machine."""


class Meter:
    """Of one launch.

    Attributes:
        left: operations until `goes_on` must be called; callers that count call it below 0.
        tell: is called now and then.
    """

    def __init__(self, budget: int | None, seconds: float | None = None) -> None:
        self._budget = budget
        self._seconds = seconds
        self._until = inf if seconds is None else thread_time() + seconds
        self._is_extended = False
        self.tell: Callable[[], None] | None = None
        self._before = 0
        self.left = self._portion = self._next()

    @property
    def spent(self) -> int:
        """The number of operations so far."""
        return self._before + self._portion - self.left

    @property
    def budget_left(self) -> int | None:
        """The operations that may be spent yet; None without an end."""
        return None if self._budget is None else self._budget - self.spent

    def add(self, spent: int) -> None:
        """Count the operations of blocks that ran elsewhere."""
        self._before += spent

    def goes_on(self) -> bool:
        """Return True if operations are left once `left` has fallen below 0."""
        if self.tell is not None:
            self.tell()
        if self._is_late():
            return False
        self._before = self.spent
        self.left = self._portion = self._next()
        return self.left > 0

    def _is_late(self) -> bool:
        """Return True if the time is up; it is extended once, where the machine is slow."""
        if thread_time() <= self._until or self._seconds is None:
            return False
        if not self._is_extended:
            self._is_extended = True
            slowness = min(_time_loop() for _ in range(3)) / _USUAL
            self._until += self._seconds * (min(max(1.0, slowness), _SLOWEST) - 1)
        return thread_time() > self._until

    def _next(self) -> int:
        return _PORTION if self._budget is None else min(_PORTION, self._budget - self._before)


def _time_loop() -> float:
    """Measure how long this thread takes for what a launch does: vectors long and short."""
    began = thread_time()
    many, few = np.zeros(1 << 14, np.int64), np.zeros(32, np.int64)
    for i in range(100):
        many = many * 3 + i
    for i in range(2500):
        few = few + i
    return thread_time() - began
