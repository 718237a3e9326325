"""Cells that one thread each accesses again and again, such as its own element in every iteration.

Nothing can be found there while no other thread comes, so what `shadow` keeps of such cells need
not be looked at. A run is evenly spaced cells and as many threads; cells are known by a slice, and
threads by the vector of their numbers, which is the same one each time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
_KEPT = 12
_OFTEN = 3
"""Accesses before one that makes a run: a cell that is read and written twice is none."""
_MOST_LOST = 50
"""Runs that other threads came to, after which an array is not expected to have any."""


class PrivateRun:
    """A run, and where and when its threads accessed it last, by kind of access."""

    def __init__(self, cells: slice, thread: Ints) -> None:
        self.cells = cells
        self.thread = thread
        self._last: dict[str, tuple[int, Ints]] = {}

    def is_marked(self, kind: str, site: int, now: Ints) -> bool:
        """Return True if the last access of this kind was at this place and time."""
        last = self._last.get(kind)
        return last is not None and last[0] == site and last[1] is now

    def mark(self, kind: str, site: int, now: Ints) -> None:
        """Note an access of all of its threads."""
        self._last[kind] = site, now


class PrivateRuns:
    """The runs of some memory."""

    def __init__(self) -> None:
        self._runs: dict[tuple[int, ...], PrivateRun] = {}
        self._seen: dict[tuple[int, ...], tuple[Ints, int]] = {}
        self._lost = 0

    def find(self, cells: slice, thread: Ints) -> PrivateRun | None:
        """Return the run of these cells and threads, if it is one."""
        return self._runs.get(_key(cells, thread))

    def recurs(self, cells: slice, thread: Ints) -> bool:
        """Count an access; return True if the same was lately made often enough to be a run."""
        if self._lost > _MOST_LOST:
            return False
        key = _key(cells, thread)
        _, times = self._seen.pop(key, (thread, 0))
        _trim(self._seen)
        self._seen[key] = thread, times + 1
        return times >= _OFTEN

    def add(self, cells: slice, thread: Ints) -> None:
        """Add a run: no other threads have accessed its cells."""
        _trim(self._runs)
        self._runs[_key(cells, thread)] = PrivateRun(cells, thread)

    def drop(self, cells: slice | Ints) -> None:
        """Drop the runs that other threads, or these in another order, may have come to."""
        for key, run in list(self._runs.items()):
            if not isinstance(cells, slice) or _overlap(run.cells, cells):
                del self._runs[key]
                self._lost += 1


def _key(cells: slice, thread: Ints) -> tuple[int, ...]:
    return cells.start, cells.stop, cells.step or 1, id(thread)


def _trim(kept: dict[tuple[int, ...], Any]) -> None:
    if len(kept) >= _KEPT:
        del kept[next(iter(kept))]


def _overlap(first: slice, second: slice) -> bool:
    """Return True if two evenly spaced runs may share a cell."""
    if first.stop <= second.start or second.stop <= first.start:
        return False
    step = first.step or 1
    return step != (second.step or 1) or (first.start - second.start) % step == 0
