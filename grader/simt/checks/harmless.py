"""Decides whether a race can be seen: logs every access to its cells, and asks what each may read.

A race is harmless if each read of its cells can only give the value that it gave, whatever order
the threads run in, and if all last writes leave the same value. That is decided cell by cell, from
a second run of the launch: a read may see any write that is not ordered with it, and of those
ordered before it the ones that no other write comes between. Where the log would be too long, where
atomics take part, or where elements are wider than a word of 8 bytes, the race stays a fault.
So does a race between a read and a write that is seen only with other data (`other_data`): that is
what a missing barrier is where an input holds only ones.
Memory fences and masks of `syncwarp` are not asked: what they alone order counts as unordered.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.checks.elements import WatchedArray
from grader.simt.checks.findings import Finding, RacingCells
from grader.simt.checks.other_data import OTHER_DATA, OtherData
from grader.simt.checks.shadow import KINDS, Accessors, Kind
from grader.simt.masks import LANES

HARMLESS = "harmless race"
"""The topic of the warning."""
MOST_OPERATIONS = 2_000_000_000
"""Of a launch that is run once more; beyond it, its races are faults."""
_MOST_ENTRIES = 4_000_000
_MOST_COMPARISONS = 30_000_000
"""Of writes with writes and reads, for one cell."""
_MOST_CELLS = 20_000
_LOAD, _STORE, _ATOMIC = map(KINDS.index, ("load", "store", "atomic"))
_WIDTHS = (1, 2, 4, 8)

Ints = NDArray[np.int64]
ArrayKey = tuple[str, str]
"""Space and label of an array."""


class _Entries(NamedTuple):
    """Accesses, one entry each: `value` in bits, `old` what a write replaces."""

    array: Ints
    cell: Ints
    kind: Ints
    thread: Ints
    now: Ints
    since: Ints
    grid: Ints
    order: Ints
    value: Ints
    old: Ints

    def take(self, which: Any) -> _Entries:
        return _Entries(*(column[which] for column in self))


class _JudgedElement(NamedTuple):
    """An element of an array; if each block has its own, those of all.

    Attributes:
        is_harmless: True if no race on it can be seen.
        stored: what is written, in bits, and where.
    """

    is_harmless: bool = True
    stored: frozenset[tuple[int, int]] = frozenset()


JudgedElements = dict[tuple[ArrayKey, int], _JudgedElement]


class AccessLog:
    """The accesses to some elements of some arrays.

    Attributes:
        threads: of a block, padded to whole warps.
        timed: True if barriers order accesses.
        full: True if there were too many, or some of which nothing can be said.
    """

    def __init__(
        self, wanted: Mapping[ArrayKey, NDArray[Any]], threads: int, *, timed: bool
    ) -> None:
        self._wanted = {key: _table(elements) for key, elements in wanted.items()}
        self._keys = list(wanted)
        self._rows = dict.fromkeys(wanted, 0)
        self._parts: list[_Entries] = []
        self._count = 0
        self._order = 0
        self.threads = threads
        self.timed = timed
        self.full = False

    def note(
        self,
        watched: WatchedArray,
        kind: Kind,
        accessors: Accessors,
        values: tuple[NDArray[Any], NDArray[Any]],
        row: int = 0,
        *,
        mixed: bool = False,
    ) -> None:
        """Note an access by one instruction.

        Args:
            values: what each reads or writes, and what was there before.
            row: the cells of a block, where each block has its own; 0 for memory of all.
            mixed: True if the array is accessed in elements of several sizes: nothing is decided.
        """
        key = watched.space, watched.label
        self._order += 1
        if key not in self._wanted or self.full:
            return
        if mixed:
            self.full = True  # no element is one cell
            return
        self._rows[key] = row
        cells = accessors.cells
        cell = (
            np.arange(cells.start, cells.stop, cells.step or 1)
            if isinstance(cells, slice)
            else cells
        )
        element, table = cell % row if row else cell, self._wanted[key]
        there = table.take(element, mode="clip")  # the last one is not wanted
        count = int(np.count_nonzero(there))
        self._count += count
        self.full = self._count > _MOST_ENTRIES
        if not count or self.full:
            return
        now = np.zeros_like(accessors.now) if accessors.known is not None else accessors.now
        columns = (
            self._keys.index(key), cell + watched.first_block * row, KINDS.index(kind),
            accessors.thread, now, accessors.since, accessors.grid, self._order,
            *map(_bits, values),
        )  # fmt: skip
        self._parts.append(
            _Entries(
                *(np.broadcast_to(np.asarray(c, np.int64), there.shape)[there] for c in columns)
            )
        )

    def covers(self, wanted: Mapping[ArrayKey, NDArray[Any]]) -> bool:
        """Return True if it has all accesses to some elements."""
        return all(
            key in self._wanted and self._wanted[key].take(elements, mode="clip").all()
            for key, elements in wanted.items()
        )

    def judge(self) -> JudgedElements | None:
        """Return what is known of each element; None if that is nothing."""
        if self.full:
            return None
        if not self._parts:
            return {}
        entries = _Entries(*map(np.concatenate, zip(*self._parts, strict=True)))
        entries = entries.take(np.lexsort((entries.order, entries.cell, entries.array)))
        found: JudgedElements = {}
        for number, cell in enumerate(_by_cell(entries)):
            if number == _MOST_CELLS:
                return None
            key, place = self._keys[int(cell.array[0])], int(cell.cell[0])
            element = place % self._rows[key] if self._rows[key] else place
            known = found.get((key, element), _JudgedElement())
            stored = np.unique(cell.value[cell.kind == _STORE]).tolist()
            found[key, element] = _JudgedElement(
                known.is_harmless and self._is_harmless(cell),
                known.stored.union((place, value) for value in stored),
            )
        return found

    def _is_harmless(self, cell: _Entries) -> bool:
        if (cell.kind == _ATOMIC).any():
            return False
        first = cell.value[0] if cell.kind[0] == _LOAD else cell.old[0]
        if (cell.value == first).all():
            return True
        stores, loads = (cell.take(cell.kind == kind) for kind in (_STORE, _LOAD))
        written, read = stores.value, loads.value
        if not written.size:
            return True
        if (written == written[0]).all() and (read == written[0]).all():
            own = np.isin(loads.thread, stores.thread[stores.order < loads.order.min(initial=0)])
            if not read.size or own.all():
                return True
        count = written.size * (written.size + read.size) * max(read.size, 1)
        return count <= _MOST_COMPARISONS and self._compare(stores, loads, int(first))

    def _compare(self, stores: _Entries, loads: _Entries, first: int) -> bool:
        """Compare every write with every write and read of one cell."""
        among, before = self._ordered(stores, stores), self._ordered(stores, loads)
        last = stores.value[~among.any(axis=1)]
        if (last != last[0]).any():
            return False
        between = (among.astype(np.float32) @ before.astype(np.float32)) > 0
        may_see = (before & ~between) | (~before & ~self._ordered(loads, stores).T)
        differs = stores.value[:, None] != loads.value[None, :]
        sees_first = ~before.any(axis=0) & (loads.value != first)
        return not bool((may_see & differs).any() or sees_first.any())

    def _ordered(self, earlier: _Entries, later: _Entries) -> NDArray[np.bool_]:
        """Test for each pair whether one access is ordered before another; see `shadow`."""
        one, other = (entry.thread[:, None] - 1 for entry in (earlier, later))
        other = other.T
        ordered = one == other
        if self.timed:
            warp, block = (
                one // LANES == other // LANES,
                one // self.threads == other // self.threads,
            )
            limit = np.where(warp, later.now, np.where(block, later.since, later.grid))
            ordered = ordered | (earlier.now[:, None] < limit)
        result: NDArray[np.bool_] = ordered & (earlier.order[:, None] < later.order[None, :])
        return result


RepeatWith = Callable[[OtherData], AccessLog | None]
"""Runs a launch with other data."""


def unite(
    known: Mapping[ArrayKey, NDArray[Any]], wanted: Mapping[ArrayKey, NDArray[Any]]
) -> dict[ArrayKey, NDArray[Any]]:
    """Return the elements of both."""
    more = {
        key: np.union1d(known[key], found) if key in known else found
        for key, found in wanted.items()
    }
    return {**known, **more}


def _table(elements: NDArray[Any]) -> NDArray[np.bool_]:
    table = np.zeros(int(elements.max()) + 2, np.bool_)
    table[elements] = True
    return table


def _bits(values: NDArray[Any]) -> Ints:
    """Return the bits of each value: what is equal in memory is equal here."""
    flat = np.ascontiguousarray(values)
    return flat.view(f"u{flat.itemsize}").astype(np.uint64).view(np.int64)


def _by_cell(entries: _Entries) -> Iterator[_Entries]:
    new = (np.diff(entries.cell) != 0) | (np.diff(entries.array) != 0)
    edges = [0, *(np.flatnonzero(new) + 1).tolist(), entries.cell.size]
    for start, stop in pairwise(edges):
        yield entries.take(slice(start, stop))


@dataclass(frozen=True, eq=False)
class RaceQuestion:
    """The races of a launch that may be harmless.

    Attributes:
        wanted: all their elements, by array.
    """

    races: Sequence[tuple[Finding, RacingCells]]
    wanted: Mapping[ArrayKey, NDArray[Any]]


def ask(races: Sequence[tuple[Finding, RacingCells]]) -> RaceQuestion | None:
    """Return what to log, or None if no race can be decided."""
    known = [(finding, cells) for finding, cells in races if _can_be_logged(cells)]
    by_array: dict[ArrayKey, list[NDArray[Any]]] = {}
    for _, cells in known:
        key = cells.watched.space, cells.watched.label
        by_array.setdefault(key, []).extend(cells.elements)
    wanted = {key: np.unique(np.concatenate(parts)) for key, parts in by_array.items()}
    return RaceQuestion(known, wanted) if known else None


def _can_be_logged(cells: RacingCells) -> bool:
    watched = cells.watched
    whole = watched.cell_bytes == watched.dtype.itemsize in _WIDTHS
    return whole and not watched.dynamic and not cells.too_many


def settle_races(
    findings: Sequence[Finding],
    question: RaceQuestion,
    log: AccessLog,
    repeat: RepeatWith,
    known: dict[Hashable, bool],
) -> tuple[Finding, ...]:
    """Return the findings, with a mere warning for a race that cannot be seen.

    Args:
        log: of the second run.
        repeat: runs the launch with other data; None if it does not end as it did.
        known: by race, whether it is harmless with other data, too; is added to.
    """
    judged = log.judge()
    if not judged:
        return tuple(findings)
    harmless = [
        (finding, cells)
        for finding, cells in question.races
        if all(each.is_harmless for each in _at(cells, judged))
    ]
    asked = [cells for _, cells in harmless if cells.reads and cells.key not in known]
    known |= _ask_of_other_data(asked, judged, repeat)
    hidden = [finding for finding, cells in harmless if not cells.reads or known[cells.key]]
    changed = [_as_warning(finding) if finding in hidden else finding for finding in findings]
    return tuple(sorted(changed, key=lambda finding: finding.kind == "warning"))


def _ask_of_other_data(
    races: Iterable[RacingCells], judged: JudgedElements, repeat: RepeatWith
) -> dict[Hashable, bool]:
    """Return for each race whether it is harmless with other data, too.

    They are, if some data change what is written, and no such race can be seen with those. So is
    each for which no data do.
    """
    left, changing = list(races), set[Hashable]()
    for data in OTHER_DATA if left else ():
        log = repeat(data)
        others = None if log is None else log.judge()
        if others is None:
            continue
        changed = [cells for cells in left if _differ(_at(cells, judged), _at(cells, others))]
        hidden = (each.is_harmless for cells in changed for each in _at(cells, others))
        if changed and all(hidden):
            return {cells.key: True for cells in left}
        changing.update(cells.key for cells in changed)
    return {cells.key: cells.key not in changing for cells in left}


def _differ(own: Sequence[_JudgedElement], others: Sequence[_JudgedElement]) -> bool:
    """Return True if something else is written."""
    return any(not other.stored <= each.stored for each, other in zip(own, others, strict=True))


def _at(cells: RacingCells, judged: JudgedElements) -> list[_JudgedElement]:
    """Return what is known of the elements of a race."""
    key = cells.watched.space, cells.watched.label
    elements = np.unique(np.concatenate(cells.elements)).tolist()
    return [judged.get((key, each), _JudgedElement()) for each in elements]


def _as_warning(finding: Finding) -> Finding:
    what = fact("finding.harmless-race", race=finding.what)
    return replace(finding, kind="warning", topic=HARMLESS, what=what)
