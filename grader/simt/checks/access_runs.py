"""Accesses to evenly spaced cells by consecutive threads, told in a few numbers per run of cells.

A thread per element is the usual kernel: what is recorded of 10⁸ cells is then one run, and memory
for a thread and a site of each cell is not even touched. Runs of one record share no cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.masks import Bools

_MOST = 32
"""Runs of a record; of more, each cell has its own entry."""


class AccessRun(NamedTuple):
    """Cells `first`, `first + step`, …: the k-th was accessed by thread `thread + k` at `site`."""

    first: int
    length: int
    step: int
    thread: int
    site: int

    @property
    def last(self) -> int:
        """The last cell."""
        return self.first + (self.length - 1) * self.step

    @property
    def cells(self) -> slice:
        """The cells."""
        return slice(self.first, self.last + 1, self.step)

    def threads(self) -> NDArray[np.int32]:
        """Return the thread of each cell."""
        return np.arange(self.thread, self.thread + self.length, dtype=np.int32)

    def meets(self, other: AccessRun) -> bool:
        """Return True if they may share a cell."""
        if self.last < other.first or other.last < self.first:
            return False
        return self.step != other.step or (self.first - other.first) % self.step == 0

    def agrees_with(self, other: AccessRun) -> bool:
        """Return True if a cell that both have is the same thread's in both."""
        ahead, rest = divmod(other.first - self.first, self.step)
        return self.step == other.step and not rest and other.thread - self.thread == ahead

    def part(self, start: int, stop: int) -> AccessRun | None:
        """Return what of it lies in the cells from `start` to one before `stop`."""
        skipped = max(0, -(-(start - self.first) // self.step))
        length = min(self.length, -(-(stop - self.first) // self.step)) - skipped
        if length <= 0:
            return None
        first, thread = self.first + skipped * self.step, self.thread + skipped
        return self._replace(first=first, length=length, thread=thread)


class AccessRuns:
    """The runs of one record."""

    def __init__(self, runs: Iterable[AccessRun] = ()) -> None:
        self._runs = list(runs)

    def __iter__(self) -> Iterator[AccessRun]:
        return iter(self._runs)

    def find_met(self, run: AccessRun) -> list[AccessRun] | None:
        """Return the runs that share cells with another one; None if it is not all by itself.

        By itself it is if the cells that it shares were accessed by the same threads.
        """
        met = [known for known in self._runs if known.meets(run)]
        return met if all(known.agrees_with(run) for known in met) else None

    def put(self, run: AccessRun) -> bool:
        """Add a run that is by itself; it replaces what is known of its cells.

        Returns:
            False if that made too many runs, and nothing was changed.
        """
        met = self.find_met(run)
        assert met is not None
        left = [known for known in self._runs if known not in met]
        for known in met:
            ends = known.part(known.first, run.first), known.part(run.last + 1, known.last + 1)
            left += [end for end in ends if end is not None]
        for near in [near for near in left if _follow(near, run) or _follow(run, near)]:
            left.remove(near)
            first = min(near, run)
            run = first._replace(length=near.length + run.length)
        if len(left) >= _MOST:
            return False
        self._runs = [*left, run]
        return True

    def is_in(self, cells: slice) -> bool:
        """Return True if any of some cells without gaps may have been accessed."""
        return any(run.first < cells.stop and cells.start <= run.last for run in self._runs)

    def find_accessed(self, cells: slice) -> Bools:
        """Return which of some cells without gaps were accessed."""
        there = np.zeros(cells.stop - cells.start, dtype=np.bool_)
        for run in self._runs:
            part = run.part(cells.start, cells.stop)
            if part is not None:
                first, last = part.first - cells.start, part.last - cells.start
                there[first : last + 1 : part.step] = True
        return there


def _follow(run: AccessRun, other: AccessRun) -> bool:
    """Return True if another run goes on where one ends."""
    after = run.last + run.step, run.step, run.thread + run.length, run.site
    return after == (other.first, other.step, other.thread, other.site)


def as_slice(flat: NDArray[np.integer[Any]]) -> slice | None:
    """Return an index as a slice, if it goes up evenly from a number that is not negative."""
    first, last, count = int(flat[0]), int(flat[-1]), flat.size
    if count == 1 or first < 0:
        return None
    step = int(flat[1]) - first
    if step <= 0 or last - first != step * (count - 1):
        return None
    return slice(first, last + 1, step) if (flat[1:] - flat[:-1] == step).all() else None
