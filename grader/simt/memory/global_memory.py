"""Global memory, over the arrays that a launch is given.

Counts sectors, tracks writers, finds races within and between blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.checks.counters import WarpSectors
from grader.simt.checks.elements import WatchedArray
from grader.simt.checks.fences import Location
from grader.simt.checks.race_findings import report_collisions, report_races
from grader.simt.checks.shadow import Accessors, Kind, Shadow
from grader.simt.checks.shadow import Ints as ShadowInts
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.masks import Bools, take_active
from grader.simt.memory.atomics import run_atomic
from grader.simt.memory.views import AtomicUpdate, Buffer, Ints, Vector, distance_apart
from grader.simt.memory.written import WrittenElements, WrittenPart
from grader.simt.program.types import Scalar

_WORD = 4
_ACCESS, _SCATTERED = 80_000, 100
"""Operations of an access whose elements are not contiguous, and for each thread."""


class GlobalBuffer:
    """The memory of an argument.

    Attributes:
        flat: (size,) its elements; writing here writes into the person's array.
        shadow: None if nothing has to be tracked, because no thread writes to it.
        written: which bytes were written; None if all of them were before the launch.
        unit: bytes from one cell to the next. Addresses begin at 0: an allocation is aligned.
    """

    def __init__(
        self,
        watched: WatchedArray,
        flat: NDArray[Any],
        shadow: Shadow | None,
        written: WrittenPart | None = None,
    ) -> None:
        self.watched = watched
        self.flat = flat
        self.dtype = watched.dtype
        self.shadow = shadow
        self.unit = watched.cell_bytes
        self.written = None if written is None else WrittenElements(written, self.dtype, self.unit)
        self._views: dict[Scalar, GlobalBuffer] = {}

    def load(self, index: Ints, here: ExecutionPoint) -> Vector:
        """See `Buffer`."""
        self._count("load", index, here)
        self._watch("load", index, here)
        value = read_cells(self.flat, index, here)
        if here.chunk.launch.log is not None:
            given = take_active(value, here.mask)
            self._note("load", self._accessors(index, here), given, given, here)
        missing = None if self.written is None else self._find_unwritten(index, here, "global")
        poison = here.chunk.launch.poison
        if missing is not None and poison is not None and here.site.number in poison.sites:
            value = poison.replace(value, missing)
        return value

    def store(self, index: Ints, value: Vector, here: ExecutionPoint) -> None:
        """See `Buffer`."""
        self._count("store", index, here)
        given, accessors = take_active(value, here.mask), self._accessors(index, here)
        cells, shadow = accessors.cells, self.shadow
        if self.written is not None:
            self.written.mark(cells)
        if shadow is None:
            self.flat[cells] = given
            return
        differs = None if here.chunk.launch.same_races else lambda: self.flat[cells] != given
        self._hazards("store", accessors, here, differs)
        if here.chunk.launch.log is not None:
            self._note("store", accessors, given, self.flat[cells], here)
        self.flat[cells] = given
        met = self._mark("store", index, accessors, here)
        if met is not None:
            lost = met[0] if differs is None else met[0] & (self.flat[cells] != given)
            here.chunk.charge(report_collisions(self.watched, lost, met[1], accessors, here.scene))

    def atomic(self, index: Ints, here: ExecutionPoint, update: AtomicUpdate) -> Vector:
        """See `Buffer`."""
        self._count(update.counted, index, here)
        cells, strength = take_active(index, here.mask), update.strength
        memory = self.watched.label if self.shadow is None else self.shadow
        here.order(Location(memory, cells * self.unit // _WORD), strength)
        self._watch("atomic" if strength.writes else "poll", index, here)
        if here.chunk.launch.log is not None:
            old = self.flat[cells]
            self._note("atomic", self._accessors(index, here), old, old, here)
        if self.written is not None:
            if update.reads:
                self._find_unwritten(index, here, "global atomic")
            if strength.writes:
                self.written.mark(cells)
        return run_atomic(self.flat, cells, here, update)

    def _find_unwritten(self, index: Ints, here: ExecutionPoint, topic: str) -> Bools | None:
        """Report threads whose element nobody wrote before; return them, if any."""
        known = self.written
        assert known is not None
        if known.holds(*here.chunk.patterns.find(index).bounds):
            return None
        missing: Bools = read_cells(known.elements, index, here) != known.whole
        if here.mask.lanes is not None:
            missing = missing & here.mask.lanes
        if not missing.any():
            return None
        lanes = np.broadcast_to(missing, (here.chunk.blocks, here.chunk.threads))
        element = int(np.broadcast_to(index, lanes.shape).flat[int(np.argmax(lanes))])
        seen = self.watched.seen_at(element)
        what = fact("finding.uninitialised-read.global", element=seen.element(element))
        hint, facts = fact("advice.never-cleared"), seen.facts(element)
        if prefix := known.count_prefix():
            hint = fact("advice.copied-part", written=prefix, size=known.part.size)
        here.report("uninitialised-read", lanes, what, topic=topic, hint=hint, **facts)
        return missing

    def _note(
        self, kind: Kind, accessors: Accessors, value: Vector, old: Vector, here: ExecutionPoint
    ) -> None:
        log, shadow = here.chunk.launch.log, self.shadow
        if log is not None and shadow is not None:
            log.note(self.watched, kind, accessors, (value, old), mixed=shadow.mixed)

    def count(self, kind: str, index: Ints, here: ExecutionPoint, _banks: str) -> None:
        """See `Buffer`."""
        self._count(kind, index, here)

    def reinterpret(self, dtype: Scalar) -> GlobalBuffer:
        """See `Buffer`; they share the shadow."""
        if dtype not in self._views:
            watched, flat = view_as(self.watched, self.flat, dtype)
            written = None if self.written is None else self.written.part
            self._views[dtype] = GlobalBuffer(watched, flat, self.shadow, written)
        return self._views[dtype]

    @property
    def numbers(self) -> NDArray[Any] | None:
        """Its memory as what it was accessed as; None if that is of several types."""
        views = list(self._views.values()) or [self]
        return views[0].flat if len(views) == 1 else None

    def distance(self, _other: Buffer, place: int) -> int:
        """See `Buffer`."""
        return distance_apart(place)

    def _accessors(self, index: Ints, here: ExecutionPoint) -> Accessors:
        chunk, mask, _ = here
        pattern = chunk.patterns.find(index)
        accessors = chunk.accessors(pattern.cells(mask), mask, chunk.in_grid, chunk.blocks)
        distinct = pattern.is_distinct(mask)
        return replace(accessors, fences=chunk.launch.fences, distinct=distinct)

    def _watch(self, kind: Kind, index: Ints, here: ExecutionPoint) -> None:
        """Find the races of reads and atomics."""
        if self.shadow is not None:
            accessors = self._accessors(index, here)
            if kind == "load" and here.chunk.launch.replicated:
                accessors = accessors.without_copies()
            self._hazards(kind, accessors, here)
            self._mark(kind, index, accessors, here)

    def _parts(self, accessors: Accessors) -> Iterator[Accessors]:
        """Yield the threads once for each cell of an element."""
        assert self.shadow is not None
        wide = self.shadow.cells_of(self.unit)
        if wide == 1:
            yield accessors
            return
        cells = accessors.cells
        for part in range(wide):
            if isinstance(cells, slice):
                ends = (cells.start * wide + part, cells.stop * wide, (cells.step or 1) * wide)
                yield replace(accessors, cells=slice(*ends))
            else:
                yield replace(accessors, cells=cells * wide + part)

    def _mark(
        self, kind: Kind, index: Ints, accessors: Accessors, here: ExecutionPoint
    ) -> tuple[Bools, ShadowInts] | None:
        """Record accesses; return which threads met another one, and that one."""
        assert self.shadow is not None
        met: tuple[Bools, ShadowInts] | None = None
        for part in self._parts(accessors):
            also = self.shadow.mark(kind, part, here.site.number)
            met = met or also
        if met is None and not here.chunk.launch.replicated:  # else copies were left out
            here.chunk.patterns.find(index).note_distinct(here.mask)
        return met

    def _hazards(
        self,
        kind: Kind,
        accessors: Accessors,
        here: ExecutionPoint,
        differs: Callable[[], Bools] | None = None,
    ) -> None:
        if self.shadow is None:
            return
        for part in self._parts(accessors):
            if found := self.shadow.hazards(kind, part, differs, here.site.tickets):
                here.chunk.charge(report_races(self.watched, kind, found, accessors, here.scene))

    def _count(self, kind: str, index: Ints, here: ExecutionPoint) -> None:
        pattern = here.chunk.patterns.find(index)
        if here.mask.lanes is not None or pattern.run < 0:
            here.chunk.charge(_ACCESS + _SCATTERED * here.mask.count)
        if here.site.dropped:
            return
        sectors = pattern.sectors(here.mask, 0, self.dtype.itemsize, self.unit)
        counts = here.site.counts
        counts[f"global_{kind}_requests"] += here.mask.warps
        counts[f"global_{kind}_sectors"] += sectors.touched
        counts[f"global_{kind}_ideal_sectors"] += sectors.ideal
        counts[f"global_{kind}_lanes"] += here.mask.count
        if sectors.touched > sectors.ideal:
            excess = (sectors.touched - sectors.ideal) / here.mask.warps
            here.site.keep_scattered(excess, partial(self._example, kind, index, here))

    def _example(self, kind: str, index: Ints, here: ExecutionPoint) -> WarpSectors:
        """Return the warp that touches the most sectors."""
        size = self.dtype.itemsize
        warp = here.chunk.patterns.find(index).scattered_warp(here.mask, 0, size, self.unit)
        return WarpSectors(kind, size, self.watched.label, *warp)


def view_as(
    watched: WatchedArray, flat: NDArray[Any], dtype: Scalar
) -> tuple[WatchedArray, NDArray[Any]]:
    """View memory as elements of another type, of another size only if there are no gaps."""
    size = dtype.itemsize
    if size == watched.dtype.itemsize:
        return replace(watched, dtype=dtype), flat.view(dtype)
    elements = flat.nbytes // size
    whole = flat.view(np.uint8)[: elements * size].view(dtype)
    narrow = watched if watched.record is None and size > watched.dtype.itemsize else None
    seen = replace(
        watched, dtype=dtype, shape=(elements,), strides=(1,), first=0, unit=0, narrow=narrow
    )
    return seen, whole


def read_cells(flat: NDArray[Any], index: Ints, here: ExecutionPoint) -> Vector:
    """Return cells by a flat index; evenly spaced ones are copied at once."""
    spaced = here.chunk.patterns.find(index).spaced if index.size > 1 else None
    if spaced is None:
        return take_cells(flat, index)
    return flat[spaced].reshape(index.shape).copy()


def take_cells(flat: NDArray[Any], index: Ints) -> Vector:
    """Return cells by a flat index; `take` is faster, but copies memory that is not contiguous."""
    return flat.take(index) if flat.flags.c_contiguous else flat[index]
