"""Operations of a launch, counted down to its budget; tells now and then that it goes on.

An operation takes about a nanosecond, or less: what many threads do alike is quicker than it is
charged. So a launch may also be bounded by the processor time of its thread; where it ends then
depends on the machine, and on what else it does. Knows nothing of what is done.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import thread_time

_PORTION = 10_000_000
"""Operations between two tellings: some 10 ms."""


class Meter:
    """Of one launch.

    Attributes:
        left: operations until `goes_on` must be called; callers that count call it below 0.
        tell: is called now and then.
    """

    def __init__(self, budget: int | None, seconds: float | None = None) -> None:
        self._budget = budget
        self._until = inf if seconds is None else thread_time() + seconds
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
        if self._until < inf and thread_time() > self._until:
            return False
        self._before = self.spent
        self.left = self._portion = self._next()
        return self.left > 0

    def _next(self) -> int:
        return _PORTION if self._budget is None else min(_PORTION, self._budget - self._before)
