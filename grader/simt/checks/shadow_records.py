"""What is kept of the last access of one kind to each memory cell; `shadow` says what follows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.simt.checks.access_runs import AccessRun, AccessRuns
from grader.simt.masks import Bools

GRID = 3
"""How far threads of several blocks are spread."""


class SeveralThreads:
    """For cells that several threads accessed: how far those are spread, and one but the last."""

    def __init__(self, cells: int) -> None:
        self.spread: NDArray[np.uint8] = np.zeros(cells, dtype=np.uint8)
        self.thread: NDArray[np.int32] = np.zeros(cells, dtype=np.int32)
        self.site: NDArray[np.int32] = np.zeros(cells, dtype=np.int32)
        self.when: NDArray[np.int32] = np.zeros(cells, dtype=np.int32)
        self.fenced: NDArray[np.int32] = np.zeros(cells, dtype=np.int32)


class ShadowRecord:
    """The last access of one kind to each cell: thread (0 for none), site, time.

    Attributes:
        runs: all that there is, as long as nothing needs an entry for each cell; else None.
    """

    def __init__(self, cells: int, *, timed: bool, in_runs: bool = False) -> None:
        self._cells = cells
        self.runs: AccessRuns | None = AccessRuns() if in_runs else None
        size = 0 if in_runs else cells
        self._thread: NDArray[np.int32] = np.zeros(size, dtype=np.int32)
        self._site: NDArray[np.int32] = np.zeros(size, dtype=np.int32)
        self.when: NDArray[np.int32] | None = np.zeros(cells, dtype=np.int32) if timed else None
        self.several: SeveralThreads | None = None
        self.fenced: NDArray[np.int32] | None = None

    @property
    def thread(self) -> NDArray[np.int32]:
        """The thread of each cell, to be changed in place."""
        self._write_runs()
        return self._thread

    @property
    def site(self) -> NDArray[np.int32]:
        """The site of each cell, to be changed in place."""
        self._write_runs()
        return self._site

    @property
    def columns(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32] | None]:
        """Thread, site, and time."""
        return self.thread, self.site, self.when

    def _write_runs(self) -> None:
        """From here on, keep an entry for each cell."""
        if self.runs is not None:
            runs, self.runs = self.runs, None
            self._thread = np.zeros(self._cells, dtype=np.int32)
            self._site = np.zeros(self._cells, dtype=np.int32)
            for run in runs:
                self._thread[run.cells], self._site[run.cells] = run.threads(), run.site

    def put(self, run: AccessRun) -> bool:
        """Record a run as such; return False if it needs an entry for each cell."""
        if self.runs is None:
            return False
        return self.runs.find_met(run) is not None and self.runs.put(run)

    def write(self, run: AccessRun) -> None:
        """Record a run."""
        if not self.put(run):
            self.thread[run.cells], self.site[run.cells] = run.threads(), run.site

    def find_accessed(self, cells: slice) -> Bools:
        """Return which of some cells without gaps were accessed."""
        if self.runs is None:
            accessed: Bools = self._thread[cells] != 0
            return accessed
        return self.runs.find_accessed(cells)

    def has_accessed(self, cells: slice) -> bool:
        """Return True if any of some cells without gaps may have been accessed."""
        return bool(self._thread[cells].any()) if self.runs is None else self.runs.is_in(cells)

    def has_several_blocks(self) -> bool:
        """Return True if threads of different blocks accessed one cell."""
        return self.several is not None and bool((self.several.spread == GRID).any())

    def with_several(self) -> SeveralThreads:
        """Return what is kept of further threads, made when it is first needed."""
        if self.several is None:
            self.several = SeveralThreads(self.thread.size)
        return self.several

    def split(self, parts: int) -> None:
        """Make several cells of each, all with its records."""
        self._thread, self._site = np.repeat(self.thread, parts), np.repeat(self.site, parts)
        self.when = None if self.when is None else np.repeat(self.when, parts)
        self.fenced = None if self.fenced is None else np.repeat(self.fenced, parts)
        if self.several is not None:
            for name, values in vars(self.several).items():
                setattr(self.several, name, np.repeat(values, parts))

    def repeat(self, rows: int, threads: int) -> None:
        """Repeat the records for each of several blocks, whose threads are numbered on."""
        self._thread = _renumber(self.thread, rows, threads)
        self._site = np.tile(self._site, rows)
        self.when = None if self.when is None else np.tile(self.when, rows)
        if self.several is not None:
            self.several.spread = np.tile(self.several.spread, rows)
            self.several.thread = _renumber(self.several.thread, rows, threads)
            self.several.site = np.tile(self.several.site, rows)
            self.several.when = np.tile(self.several.when, rows)
            self.several.fenced = np.tile(self.several.fenced, rows)


def _renumber(thread: NDArray[np.int32], rows: int, threads: int) -> NDArray[np.int32]:
    first = np.arange(rows, dtype=np.int32)[:, None] * threads
    return np.where(thread == 0, 0, thread + first).astype(np.int32).ravel()
