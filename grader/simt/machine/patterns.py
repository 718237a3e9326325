"""Describes index vectors: their bounds, whether they are evenly spaced, the sectors they touch.

A kernel uses one index for several arrays, and in every iteration of a loop: what is known about a
vector is kept while the vector lives, and holds for the same vector with one number added. Vectors
are (rows, columns) that broadcast to a chunk's (blocks, threads); none is changed in place.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import gcd
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from grader.simt.checks.access_runs import as_slice
from grader.simt.masks import LANES, Mask, take_active

SECTOR = 32
"""Bytes that global memory hands over at least."""
_KEPT = 12

Ints = NDArray[np.int64]
Cells = Ints | slice
"""A flat index for each of some threads; a slice where they are evenly spaced upwards."""


Found = TypeVar("Found")
Kept = dict[Any, tuple[tuple[Any, ...], Found]]
"""What was computed, by the identities of what it was computed from, and that itself."""


def keep(kept: Kept[Found], key: Any, of: tuple[Any, ...], compute: Callable[[], Found]) -> Found:
    """Compute something once from the same objects; the results used last are kept.

    Args:
        key: has the identities of `of` in it.
        of: what is computed with, never changed in place; kept as long as the result.
    """
    entry = kept.pop(key, None)
    if entry is None:
        if len(kept) >= _KEPT:
            del kept[next(iter(kept))]
        entry = of, compute()
    kept[key] = entry
    return entry[1]


class Sectors(NamedTuple):
    """The sectors of one access by a chunk, summed over its warps."""

    touched: int
    ideal: int


class ScatteredWarp(NamedTuple):
    """One warp's access: byte addresses (32,), active lanes (32,), its sectors and the ideal."""

    addresses: Ints
    active: NDArray[np.bool_]
    touched: int
    ideal: int


class Pattern:
    """One index vector. Each property is computed once.

    Attributes:
        base, shift: the pattern of a vector of which this one differs by a number, if that is
            known.
    """

    def __init__(self, index: Ints, base: Pattern | None = None, shift: int = 0) -> None:
        self.index = index
        self.base = base
        self.shift = shift
        self._cells: Kept[Cells] = {}
        self._sectors: Kept[Sectors] = {}
        self._distinct: Kept[bool] = {}

    @cached_property
    def bounds(self) -> tuple[int, int]:
        """The smallest and the largest index."""
        if self.base is not None:
            least, most = self.base.bounds
            return least + self.shift, most + self.shift
        return int(self.index.min()), int(self.index.max())

    @cached_property
    def spaced(self) -> slice | None:
        """The vector as a slice, if it goes up evenly from a number that is not negative."""
        if self.base is not None:
            return _shift(self.base.spaced, self.shift)
        return as_slice(self.index.ravel())

    @property
    def run(self) -> int:
        """The first index, if the vector is consecutive; else -1."""
        if self.index.size == 1:
            return max(-1, int(self.index[0, 0]))
        spaced = self.spaced
        return spaced.start if spaced is not None and spaced.step == 1 else -1

    def cells(self, mask: Mask) -> Cells:
        """Return the index of each thread of a mask."""
        if self.base is not None:
            cells, by = self.base.cells(mask), self.shift
            if isinstance(cells, slice):
                return slice(cells.start + by, cells.stop + by, cells.step)
            return cells + by
        return keep(self._cells, id(mask), (mask,), lambda: self._find_cells(mask))

    def _find_cells(self, mask: Mask) -> Cells:
        if mask.lanes is None and self.index.size == mask.count:
            return self.index.ravel() if self.spaced is None else self.spaced
        return take_active(self.index, mask)

    def is_distinct(self, mask: Mask) -> bool:
        """Return True if it was noted that no two threads of a mask have the same index."""
        base = self if self.base is None else self.base
        return id(mask) in base._distinct  # noqa: SLF001 - of its own class

    def note_distinct(self, mask: Mask) -> None:
        """Note that no two threads of a mask have the same index."""
        base = self if self.base is None else self.base
        keep(base._distinct, id(mask), (mask,), lambda: True)  # noqa: SLF001 - of its own class

    def sectors(self, mask: Mask, base: int, size: int, unit: int) -> Sectors:
        """Count the sectors that a mask touches.

        Args:
            base: the byte address of index 0.
            size: bytes of an element.
            unit: bytes from one index to the next; less than `size` in memory of records.
        """
        if self.base is not None:
            return self.base.sectors(mask, base + self.shift * unit, size, unit)
        key, first = (id(mask), base % SECTOR, size, unit), base % SECTOR
        return keep(
            self._sectors, key, (mask,), lambda: self._find_sectors(mask, first, size, unit)
        )

    def scattered_warp(self, mask: Mask, base: int, size: int, unit: int) -> ScatteredWarp:
        """Find the warp with the most sectors; see `sectors` for the arguments."""
        shape = (max(len(self.index), mask.rows), mask.threads)
        index = np.broadcast_to(self.index, shape).reshape(-1, LANES)
        lanes = np.ones(shape, np.bool_) if mask.lanes is None else mask.lanes
        active = np.broadcast_to(lanes, shape).reshape(-1, LANES)
        sector = np.sort(np.where(active, (index * unit + base) // SECTOR, -1), axis=1)
        worst = int(np.argmax((sector[:, 1:] != sector[:, :-1]).sum(axis=1) + (sector[:, 0] >= 0)))
        addresses = index[worst] * unit + base
        first = np.unique(addresses[active[worst]])
        bytes_touched = (first[:, np.newaxis] + np.arange(size)).ravel()
        touched = len(np.unique(bytes_touched // SECTOR))
        ideal = -(-len(first) * size // SECTOR)
        return ScatteredWarp(addresses, active[worst], touched, ideal)

    def _find_sectors(self, mask: Mask, base: int, size: int, unit: int) -> Sectors:
        rows, columns = self.index.shape
        if columns == 1 and unit == size:  # all lanes of a warp on one element
            return Sectors(mask.warps, mask.warps)
        if unit == size and mask.lanes is None and self.index.size == mask.count and self.run >= 0:
            first = self.run + np.arange(0, self.index.size, LANES, dtype=np.int64)
            lowest = (first * size + base) // SECTOR
            highest = ((first + LANES) * size + base - 1) // SECTOR
            touched = int((highest - lowest + 1).sum())
            return Sectors(touched, -(-LANES * size // SECTOR) * len(first))
        rows = max(rows, mask.rows)
        index = np.broadcast_to(self.index, (rows, mask.threads)).reshape(-1, LANES)
        there = None
        if mask.lanes is not None:
            lanes = np.broadcast_to(mask.lanes, (rows, mask.threads)).reshape(-1, LANES)
            there = lanes.any(axis=1)
            index, lanes = index[there], lanes[there]
            most = np.where(lanes, index, np.iinfo(np.int64).min).max(axis=1, keepdims=True)
            index = np.where(lanes, index, most)
        step = index[:, 1:] - index[:, :-1]
        if (step < 0).any():
            index = np.sort(index, axis=1)
            step = index[:, 1:] - index[:, :-1]
        elements = 1 + (step != 0).sum(axis=1)
        sector = (index * unit + base) >> 5
        if unit < size:  # an element may reach into the next sector
            last = (index * unit + base + size - 1) // SECTOR
            sector = np.sort(np.concatenate([sector, last], axis=1), axis=1)
        touched = len(index) + int((sector[:, 1:] != sector[:, :-1]).sum())
        ideal = int((-(-elements * size // SECTOR)).sum())
        scale = mask.blocks // rows
        return Sectors(touched * scale, ideal * scale)


class LaneSpan(NamedTuple):
    """Addresses: `start + steps * size` for each thread."""

    start: int
    steps: Ints
    size: int


class Patterns:
    """The patterns of the vectors that were used last."""

    def __init__(self) -> None:
        self._by_id: dict[int, Pattern] = {}
        self._computed: Kept[Ints] = {}
        self._spans: Kept[LaneSpan | None] = {}

    def find(self, index: NDArray[Any]) -> Pattern:
        """Return the pattern of a vector that is never changed in place."""
        found = self._by_id.pop(id(index), None)
        if found is None:
            return self._keep(Pattern(index))
        self._by_id[id(index)] = found
        return found

    def split(self, index: Ints) -> tuple[Ints, int]:
        """Return the vector that one is known to differ from by a number, and the number."""
        found = self.find(index)
        return (index, 0) if found.base is None else (found.base.index, found.shift)

    def advance(self, value: NDArray[Any], step: NDArray[Any]) -> NDArray[Any]:
        """Return a sum; that the vectors differ by one number for all threads is remembered."""
        moved: NDArray[Any] = value + step
        if value.size > 1 == step.size and value.dtype == moved.dtype == np.int64:
            self._note_shift(moved, value, int(step[0, 0]))
        return moved

    def advance_span(self, span: LaneSpan, index: NDArray[Any], step: int) -> LaneSpan:
        """Move addresses by an integer number of steps for each thread."""
        index = self.widen(index)
        if index.size == 1:
            return LaneSpan(span.start + int(index[0, 0]) * step, span.steps, span.size)
        base, by = self.split(index)
        start = span.start + by * step
        if span.steps.size == 1:
            return LaneSpan(start + int(span.steps[0, 0]) * span.size, base, step)
        unit = gcd(span.size, step)
        before = self.multiply(span.steps, span.size // unit)
        return LaneSpan(start, self.add(before, self.multiply(base, step // unit)), unit)

    def addresses(self, span: LaneSpan) -> Ints:
        """Return the addresses of a span, which is remembered with them."""
        addresses = span.steps * span.size
        addresses += np.uint64(span.start % (1 << 64)).astype(np.int64)  # an address wraps
        self.find_span(addresses, (), lambda: span)
        return addresses

    def find_span(
        self, addresses: Ints, among: tuple[Any, ...], find: Callable[[], LaneSpan | None]
    ) -> LaneSpan | None:
        """Return the span of some addresses.

        Args:
            addresses: never changed in place.
            among: what else the answer depends on, such as a mask.
            find: finds it, if it is not known.
        """
        known = self._spans.get(id(addresses))
        if known is not None:
            return known[1]
        key = (id(addresses), *map(id, among)) if among else id(addresses)
        return keep(self._spans, key, (addresses, *among), find)

    def _keep(self, pattern: Pattern) -> Pattern:
        if len(self._by_id) >= _KEPT:
            del self._by_id[next(iter(self._by_id))]
        self._by_id[id(pattern.index)] = pattern
        return pattern

    def widen(self, index: NDArray[Any]) -> Ints:
        """Return a vector as 64-bit integers: of the same vector, the same one."""
        if index.dtype == np.int64:
            return index
        return keep(self._computed, id(index), (index,), lambda: index.astype(np.int64))

    def multiply(self, index: Ints, number: int) -> Ints:
        """Return a multiple of a vector: of the same vector, the same one."""
        if number == 1:
            return index
        return keep(self._computed, (id(index), "*", number), (index,), lambda: index * number)

    def add(self, left: Ints, right: Ints) -> Ints:
        """Return the sum of two vectors: of the same vectors, the same one."""
        key = id(left), "+", id(right)
        return keep(self._computed, key, (left, right), lambda: left + right)

    def shift(self, index: Ints, by: int) -> Ints:
        """Return a vector with a number added: of the same vector, the same one."""
        if by == 0:
            return index
        return keep(self._computed, (id(index), by), (index,), lambda: self._shift(index, by))

    def _shift(self, index: Ints, by: int) -> Ints:
        shifted = index + by
        self._note_shift(shifted, index, by)
        return shifted

    def _note_shift(self, shifted: Ints, index: Ints, by: int) -> None:
        pattern = self.find(index)
        base = pattern if pattern.base is None else pattern.base
        self._keep(Pattern(shifted, base, pattern.shift + by))


def _shift(cells: slice | None, by: int) -> slice | None:
    if cells is None or cells.start + by < 0:
        return None
    return slice(cells.start + by, cells.stop + by, cells.step)
