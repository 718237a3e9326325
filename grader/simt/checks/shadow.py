"""Tracks the last access to each memory cell and whether it is ordered before the current one.

Three records per cell: the last load, store and atomic, each with its thread, its time and how far
its threads are spread since the last ordering (one thread, a warp, a block, several blocks). What
is reported depends on these alone, never on the order in which lanes are run.

Time is that of `clock`. An access is ordered before a later one by
the same thread; of the same warp, if it is older than the warp's time; of the same block, if it is
older than the block's last barrier, or than the thread's vector clock of that warp; of
another block, if it is older than the grid's last barrier, or, in the same cluster, than that
vector clock. Fences and atomics order any two threads (`fences`). Of several threads only the last
two are compared with the vector clock and by fences.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from grader.simt.checks.access_runs import AccessRun, as_slice
from grader.simt.checks.fences import FenceArrival, Fences
from grader.simt.checks.private_runs import PrivateRun, PrivateRuns
from grader.simt.checks.shadow_records import GRID, ShadowRecord
from grader.simt.masks import LANES, Bools

Access = Literal["load", "store", "atomic"]
Kind = Literal[Access, "poll"]
"""`poll` is a load that threads synchronize by: it races with stores, not with atomics."""
Ints = NDArray[np.integer[Any]]
CellIndex = Ints | slice
"""Which cells: an index for each thread, or evenly spaced ones, one each."""

WIDEST = 16
"""Bytes of the widest access."""
KINDS: tuple[Access, ...] = ("load", "store", "atomic")
_RIVALS: dict[Kind, tuple[Kind, ...]] = {
    "load": ("store", "atomic"),
    "store": ("load", "store", "atomic", "poll"),
    "atomic": ("load", "store"),
    "poll": ("store",),
}
_THREAD, _WARP, _BLOCK, _GRID = range(GRID + 1)
_ALL = slice(None)
_LARGE = 1 << 16
"""Cells from which on a record begins with runs."""


@dataclass(frozen=True, eq=False)
class Accessors:
    """Threads that access cells at once, one entry each.

    Attributes:
        cells: flat, rows one after the other.
        thread: numbers from 1: of a block's threads one after the other, and so are blocks.
        now, since: their warp's time and that of their block's last barrier; or one for all.
        grid: time of the grid's last barrier.
        threads: of a block, padded to whole warps.
        fences: what else orders threads, in a kernel that has fences.
        before: threads of the grid before the one of number 1, as `fences` numbers them.
        known: (threads, 32) of the clock, if it keeps that.
        vector: (threads, warps of a cluster) of the clock, if it keeps that.
        cluster: the blocks of a cluster, which follow each other.
        distinct: True if it is known that no two of the threads access the same cell.
    """

    cells: CellIndex
    thread: Ints
    now: Ints
    since: Ints
    grid: int
    threads: int
    fences: Fences | None = None
    before: int = 0
    known: Ints | None = None
    vector: Ints | None = None
    distinct: bool = False
    cluster: int = 1

    def without_copies(self) -> Accessors:
        """Return of each block's threads that access one cell the first alone."""
        if self.distinct or isinstance(self.cells, slice):
            return self
        if (self.cells[1:] > self.cells[:-1]).all():  # threads in their order, as they mostly are
            return replace(self, distinct=True)
        block = (self.thread.astype(np.int64) - 1) // self.threads
        key = self.cells * (int(block.max(initial=0)) + 1) + block
        _, first = np.unique(key, return_index=True)
        if first.size == self.thread.size:
            return self
        first.sort()
        several = {
            name: values[first]
            for name in ("cells", "thread", "now", "since", "known", "vector")
            if (values := getattr(self, name)) is not None and np.size(values) > 1
        }
        return replace(self, **several, distinct=False)


@dataclass(frozen=True, eq=False)
class Hazard:
    """Accesses that are not ordered with an earlier one.

    Attributes:
        rival: what the earlier one was.
        which: indices of the threads of `Accessors` in question.
        thread, site: of the earlier access, for each of `which`.
    """

    rival: Kind
    which: Ints
    thread: Ints
    site: Ints


class Shadow:
    """The records of some memory.

    Attributes:
        rows: how many blocks have their own; 1 while all do the same.
        cells: of one row.
        cell: bytes of a cell: those of the narrowest access so far.
        mixed: True if accesses differ in their size.
    """

    def __init__(self, cells: int, *, timed: bool, cell: int = 1) -> None:
        self.cells = cells
        self.cell = cell
        self.mixed = False
        self.rows = 1
        self.timed = timed
        self._records: dict[Kind, ShadowRecord] = {}
        self._private = PrivateRuns()
        self._first: Accessors | None = None
        self._consecutive: tuple[Ints | None, bool] = (None, False)

    def separate(self, rows: int, threads: int) -> None:
        """Split the records: one set for each of several blocks of `threads` threads."""
        if self.rows == 1 and rows > 1:
            for record in self._records.values():
                record.repeat(rows, threads)
        self.rows = rows

    def cells_of(self, size: int) -> int:
        """Return how many cells an element of some bytes has; cells are split if it is narrower."""
        if size == self.cell:
            return 1
        if size > self.cell:
            self.mixed = True
            return size // self.cell
        self.mixed = self.mixed or bool(self._records)
        parts = self.cell // size
        self.cells, self.cell = self.cells * parts, size
        for record in self._records.values():
            record.split(parts)
        self._private, self._first = PrivateRuns(), None
        return 1

    def record(self, kind: Kind) -> ShadowRecord | None:
        """Return the record of one kind of access; None if there was none."""
        return self._records.get(kind)

    def take_record(self, kind: Kind) -> ShadowRecord:
        """Return the record of one kind of access, made if there was none."""
        if kind not in self._records:
            cells = self.rows * self.cells
            in_runs = cells >= _LARGE and not self.timed
            self._records[kind] = ShadowRecord(cells, timed=self.timed, in_runs=in_runs)
        return self._records[kind]

    def forget(self) -> None:
        """Forget all accesses."""
        self._records = {}
        self._private, self._first = PrivateRuns(), None

    def is_accessed(self, cells: slice) -> bool:
        """Return True if any of these cells may have been accessed."""
        return any(record.has_accessed(cells) for record in self._records.values())

    def find_written(self, cells: CellIndex) -> Bools:
        """Test which cells any thread has stored to or updated atomically."""
        there: Bools | None = None
        for kind in ("store", "atomic"):
            record = self._records.get(kind)
            if record is not None:
                if isinstance(cells, slice) and cells.step in (None, 1):
                    some = record.find_accessed(cells)
                else:
                    some = _at(record.thread, cells) != 0
                there = some if there is None else there | some
        if there is None:
            there = np.zeros(_length(cells), dtype=np.bool_)
        return there

    def is_private(self, accessors: Accessors) -> bool:
        """Return True if it is known that no other threads than these accessed their cells."""
        return self._find_private(accessors) is not None

    def hazards(
        self,
        kind: Kind,
        accessors: Accessors,
        differs: Callable[[], Bools] | None = None,
        tickets: frozenset[int] = frozenset(),
    ) -> list[Hazard]:
        """Find earlier accesses that these are not ordered with.

        Args:
            differs: for stores: finds where the value differs from the one in memory; two threads
                that store the same do not race.
            tickets: numbers of the atomics whose results decide which threads get here.
        """
        if self.is_private(accessors):
            return []
        found, cells = [], accessors.cells
        for rival in _RIVALS[kind]:
            record = self._records.get(rival)
            if record is None or self._has_own(record, accessors):
                continue
            prior = _at(record.thread, cells)
            if not prior.any():
                if rival == kind:
                    self._first = accessors  # nothing is lost when they are recorded
                continue
            other = prior != accessors.thread
            if record.several is not None:
                other |= _at(record.several.spread, cells) > 0
            other &= prior != 0
            if not other.any():
                continue
            if kind == rival == "store" and differs is not None:
                other &= differs()
            which = np.flatnonzero(other)
            which = which[~_find_ordered(record, prior, which, accessors, tickets)]
            if which.size:
                found.append(_hazard(rival, record, accessors, which))
        return found

    def mark(self, kind: Kind, accessors: Accessors, site: int) -> tuple[Bools, Ints] | None:
        """Record accesses.

        Returns:
            Which threads collided with another one in this very access, and the thread that
            the record is left with; None if no thread did.
        """
        cells, private = accessors.cells, self._find_private(accessors)
        if private is not None and private.is_marked(kind, site, accessors.now):
            return None
        known = kind in self._records
        record = self.take_record(kind)
        run = None if record.runs is None else self._find_run(accessors, site)
        if run is None or not record.put(run):
            if known and private is None and accessors is not self._first:
                _remember(record, accessors)
            record.thread[cells] = accessors.thread
            record.site[cells] = site
            if record.when is not None:
                record.when[cells] = accessors.now
            if accessors.fences is not None:
                if record.fenced is None:
                    record.fenced = np.zeros(record.thread.size, dtype=np.int32)
                record.fenced[cells] = accessors.fences.count(accessors.thread + accessors.before)
        self._first = None
        if private is not None:
            private.mark(kind, site, accessors.now)
            return None
        self._private.drop(cells)
        if not isinstance(cells, slice):
            distinct = accessors.distinct or record.runs is not None
            return None if distinct else _find_meeting(record, cells, accessors, site)
        if self._private.recurs(cells, accessors.thread) and self._is_own(accessors):
            self._private.add(cells, accessors.thread)
        return None

    def _find_run(self, accessors: Accessors, site: int = 0) -> AccessRun | None:
        """Return what they access as a run, if it is one."""
        cells, thread = accessors.cells, accessors.thread
        if accessors.fences is not None:
            return None
        if not isinstance(cells, slice):
            found = as_slice(cells)
            if found is None:
                return None
            cells = found
        if self._consecutive[0] is not thread:
            self._consecutive = thread, bool((thread[1:] - thread[:-1] == 1).all())
        count = _length(cells)
        wide = thread.dtype.itemsize > np.dtype(np.int32).itemsize
        if wide or not self._consecutive[1] or count != thread.size:
            return None
        return AccessRun(cells.start, count, cells.step or 1, int(thread[0]), site)

    def _has_own(self, record: ShadowRecord, accessors: Accessors) -> bool:
        """Return True if it is known that a record has no other threads of these cells."""
        if record.runs is None:
            return False
        run = self._find_run(accessors)
        return run is not None and record.runs.find_met(run) is not None

    def _find_private(self, accessors: Accessors) -> PrivateRun | None:
        if not isinstance(accessors.cells, slice) or accessors.fences is not None:
            return None
        return self._private.find(accessors.cells, accessors.thread)

    def _is_own(self, accessors: Accessors) -> bool:
        """Return True if each thread is the only one that ever accessed its cell."""
        for record in self._records.values():
            if self._has_own(record, accessors):
                continue
            prior = _at(record.thread, accessors.cells)
            if ((prior != 0) & (prior != accessors.thread)).any():
                return False
            if record.several is not None and _at(record.several.spread, accessors.cells).any():
                return False
        return True


def _find_meeting(
    record: ShadowRecord, cells: Ints, accessors: Accessors, site: int
) -> tuple[Bools, Ints] | None:
    """Find threads that access one cell in the same instruction."""
    left = record.thread.take(cells)
    met = left != accessors.thread
    if not met.any():
        return None
    several = record.with_several()
    scope = find_scope(left[met], accessors.thread[met], accessors.threads)
    shared = cells[met]
    wide = scope >= several.spread[shared]  # the one farthest away is kept
    several.thread[shared[wide]] = accessors.thread[met][wide]
    several.site[shared[wide]] = site
    several.when[shared[wide]] = _times(accessors, np.flatnonzero(met)[wide])[0]
    if record.fenced is not None:
        several.fenced[shared[wide]] = record.fenced[shared[wide]]
    for level in (_WARP, _BLOCK, _GRID):
        some = shared[scope == level]
        if some.size:
            several.spread[some] = np.maximum(several.spread[some], level)
    return met, left


def _remember(record: ShadowRecord, accessors: Accessors) -> None:
    """Keep what a record is about to lose: threads that are not ordered before the new ones."""
    cells = accessors.cells
    prior = _at(record.thread, cells)
    differ = (prior != 0) & (prior != accessors.thread)
    if record.several is None and not differ.any():
        return
    several = record.with_several()
    spread = _at(several.spread, cells)
    if not differ.any() and not spread.any():
        return
    scope = np.where(prior == 0, 0, find_scope(prior, accessors.thread, accessors.threads))
    differ &= scope >= spread  # the one farthest away is kept
    np.maximum(scope, spread, out=scope)
    if record.when is not None:
        scope[find_before(_at(record.when, cells), scope, accessors, _ALL, prior)] = _THREAD
    if accessors.fences is not None:
        which = np.flatnonzero(scope != _THREAD)
        scope[which[_find_fenced(record, prior, which, accessors)]] = _THREAD
    several.spread[cells] = scope
    differ &= scope > 0
    several.thread[cells] = np.where(differ, prior, _at(several.thread, cells))
    several.site[cells] = np.where(differ, _at(record.site, cells), _at(several.site, cells))
    if record.when is not None:
        several.when[cells] = np.where(differ, _at(record.when, cells), _at(several.when, cells))
    if record.fenced is not None:
        counts = _at(record.fenced, cells), _at(several.fenced, cells)
        several.fenced[cells] = np.where(differ, *counts)


def _find_ordered(
    record: ShadowRecord, prior: Ints, which: Ints, accessors: Accessors, tickets: frozenset[int]
) -> Bools:
    """Test which earlier accesses are ordered before those of some threads."""
    cells = accessors.cells
    if record.when is None and accessors.fences is None and not tickets:
        return np.zeros(which.size, dtype=np.bool_)
    scope = find_scope(prior[which], accessors.thread[which], accessors.threads)
    ordered = np.zeros(which.size, dtype=np.bool_)
    if tickets:
        ordered |= _find_last(record, which, scope, accessors, tickets)
    if record.several is not None and accessors.vector is None:
        scope = np.maximum(scope, _at(record.several.spread, cells)[which])
    if record.when is not None:
        before = find_before(_at(record.when, cells)[which], scope, accessors, which, prior[which])
        if accessors.vector is not None:
            before |= scope == _THREAD
            before &= _find_other_before(record, accessors, which)
        ordered |= before
    if accessors.fences is not None:
        rest = np.flatnonzero(~ordered)
        ordered[rest] = _find_fenced(record, prior, which[rest], accessors)
    return ordered


def _find_last(
    record: ShadowRecord, which: Ints, scope: Ints, accessors: Accessors, tickets: frozenset[int]
) -> Bools:
    """Test which threads drew the last ticket of their cells: all other atomics came before it."""
    prior, site = (_at(each, accessors.cells)[which] for each in (record.thread, record.site))
    before: Bools = scope == _THREAD
    if record.when is not None:
        when = _at(record.when, accessors.cells)[which]
        before |= find_before(when, scope, accessors, which, prior)
    before &= np.isin(site, list(tickets))
    return before


def _find_fenced(record: ShadowRecord, prior: Ints, which: Ints, accessors: Accessors) -> Bools:
    """Test where fences and atomics order both accesses that are kept before some threads'."""
    if record.fenced is None or not which.size:
        return np.zeros(which.size, dtype=np.bool_)
    fine = _is_last_before(record, prior[which], which, accessors)
    fine[fine] = _find_other_before(record, accessors, which[fine])
    return fine


def _is_last_before(record: ShadowRecord, prior: Ints, which: Ints, accessors: Accessors) -> Bools:
    """Test where the last access is ordered before some threads', by the clock or by fences."""
    cells = accessors.cells
    scope = find_scope(np.maximum(prior, 1), accessors.thread[which], accessors.threads)
    fine: Bools = scope == _THREAD
    when = np.zeros(which.size, dtype=np.int32)
    if record.when is not None:
        when = _at(record.when, cells)[which]
        fine |= find_before(when, scope, accessors, which, prior)
    if record.fenced is not None:
        count = _at(record.fenced, cells)[which]
        _add_visible(fine, prior, count, when, accessors=accessors, which=which)
    return fine


def _add_visible(
    fine: Bools, prior: Ints, count: Ints, when: Ints, *, accessors: Accessors, which: Ints
) -> None:
    """Add where fences order accesses of some threads, so many fences and at a time, to `fine`."""
    rest = np.flatnonzero(~fine)
    if accessors.fences is None or not rest.size:
        return
    now, since = (np.broadcast_to(each, which.shape)[rest] for each in _times(accessors, which))
    here = FenceArrival(accessors.thread[which[rest]] + accessors.before, now, since)
    writer = np.maximum(prior[rest], 1) + accessors.before
    fine[rest] = accessors.fences.test_visible(writer, count[rest], when[rest], here)


def _hazard(rival: Kind, record: ShadowRecord, accessors: Accessors, which: Ints) -> Hazard:
    """Describe the rivals; where the last access is ordered, the other one that is kept."""
    cells = accessors.cells
    thread, site = _at(record.thread, cells)[which], _at(record.site, cells)[which]
    if record.several is not None:
        fine = _is_last_before(record, thread, which, accessors)
        thread = np.where(fine, _at(record.several.thread, cells)[which], thread)
        site = np.where(fine, _at(record.several.site, cells)[which], site)
    return Hazard(rival, which, thread, site)


def find_before(
    when: Ints, scope: Ints, accessors: Accessors, which: Ints | slice, prior: Ints
) -> Bools:
    """Test which earlier accesses, made at a time, are ordered before those of `accessors`."""
    now, since = _times(accessors, which)
    if accessors.known is not None:
        now = np.take_along_axis(accessors.known[which], ((prior - 1) % LANES)[:, None], axis=1)[
            :, 0
        ]
    grid: Ints | int = accessors.grid
    if accessors.vector is not None:
        threads = accessors.threads * accessors.cluster
        warp = (prior - 1) % threads // LANES
        seen = np.take_along_axis(accessors.vector[which], warp[:, None], axis=1)[:, 0]
        since = np.maximum(since, seen)
        if accessors.cluster > 1:
            near = (prior - 1) // threads == (accessors.thread[which] - 1) // threads
            grid = np.where(near, np.maximum(grid, seen), grid)
    limit = np.where(scope == _WARP, now, np.where(scope == _BLOCK, since, grid))
    before: Bools = when < limit
    return before


def _find_other_before(record: ShadowRecord, accessors: Accessors, which: Ints) -> Bools:
    """Test where the one kept of several threads is ordered before those of `accessors`, too."""
    several, cells = record.several, accessors.cells
    if several is None:
        return np.ones(which.size, dtype=np.bool_)
    thread, when, spread = (
        _at(values, cells)[which] for values in (several.thread, several.when, several.spread)
    )
    scope = find_scope(np.maximum(thread, 1), accessors.thread[which], accessors.threads)
    fine: Bools = (spread == 0) | (thread == 0) | (scope == _THREAD)
    if record.when is not None:
        fine |= find_before(when, scope, accessors, which, np.maximum(thread, 1))
    if record.fenced is not None:
        count = _at(several.fenced, cells)[which]
        _add_visible(fine, thread, count, when, accessors=accessors, which=which)
    return fine


def _times(accessors: Accessors, which: Ints | slice) -> tuple[Ints, Ints]:
    """Return the warp's time and that of the block's last barrier, for some of the threads."""
    now = accessors.now if accessors.now.size == 1 else accessors.now[which]
    since = accessors.since if accessors.since.size == 1 else accessors.since[which]
    return now, since


def find_scope(mine: Ints, theirs: Ints, threads: int) -> Ints:
    """Return how far two threads are apart: the same, a warp, a block, the grid."""
    first, second = mine - 1, theirs - 1
    scope: Ints = (first != second).astype(np.int8)
    scope += (first >> 5) != (second >> 5)
    scope += (first // threads) != (second // threads)
    return scope


def _at(values: NDArray[Any], cells: CellIndex) -> NDArray[Any]:
    """Take the values of cells; `take` is faster than brackets for an index per thread."""
    return values[cells] if isinstance(cells, slice) else values.take(cells)


def _length(cells: CellIndex) -> int:
    if isinstance(cells, slice):
        return len(range(cells.start, cells.stop, cells.step or 1))
    return cells.size
