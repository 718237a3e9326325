"""Shared memory: each block's own, counted by `grader.banks`, watched by a shadow.

Where index and mask are the same in all blocks, one block is counted and watched for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from itertools import islice
from typing import cast

import numpy as np

from grader.banks import Kind as BankKind
from grader.banks import architecture, cost_many
from grader.facts import fact
from grader.simt.checks.counters import Site, WarpAccessCost
from grader.simt.checks.elements import WatchedArray, row_major
from grader.simt.checks.fences import Location
from grader.simt.checks.proxies import ProxyFences
from grader.simt.checks.race_findings import ACCESSES, report_collisions, report_races
from grader.simt.checks.shadow import WIDEST, Accessors, Kind, Shadow
from grader.simt.checks.shadow import Ints as ShadowInts
from grader.simt.machine.chunk import Chunk, ExecutionPoint
from grader.simt.masks import LANES, Bools, Mask, stretch, take_active
from grader.simt.memory.atomics import run_atomic
from grader.simt.memory.global_memory import take_cells
from grader.simt.memory.records import array_of, spread, whole_of
from grader.simt.memory.views import AtomicUpdate, Buffer, Ints, Vector, View
from grader.simt.program.types import Scalar

_ONE_WORD_ROWS = 128
_WORD = 4
_ACCESS, _MODEL, _WARP = 50_000, 250_000, 2_500
"""Operations of an access; of a call of the bank model, and for each warp."""
_FEW_WARPS = 64
"""Accesses of up to so many are remembered from launch to launch."""
_WRITES: tuple[Kind, ...] = ("store", "atomic")
_THREAD = {"load": 1, "store": 10, "atomic": 10}
"""Operations for each thread."""


class InFlight:
    """Which thread has a copy under way to each word of every block, and at which site.

    Attributes:
        thread: (blocks, words) from 1; 0 for none.
        count: of the words.
        find_wait: finds the last wait of a thread that left a copy in flight, by the copy's site,
            the block, and the thread; None without.
    """

    def __init__(self, blocks: int, words: int) -> None:
        self.thread: ShadowInts = np.zeros((blocks, words), dtype=np.int32)
        self.site: ShadowInts = np.zeros((blocks, words), dtype=np.int32)
        self.count = 0
        self.find_wait: Callable[[Site, int, int], Site | None] = _no_wait


def _no_wait(_copy: Site, _block: int, _thread: int) -> None:
    """Return that no wait is known."""


class Region:
    """The bytes of one declaration, for every block of a chunk.

    Attributes:
        base: byte address within a block's shared memory.
        shadow: of one block, or of each.
        in_flight: copies that are under way, if there was any.
    """

    def __init__(self, chunk: Chunk, size: int, base: int) -> None:
        self.size = size
        pitch = -(-max(size, 1) // WIDEST) * WIDEST
        self.memory = np.zeros((chunk.blocks, pitch), dtype=np.uint8)
        self.base = base
        self.first_block = chunk.first_block
        self.shadow = Shadow(pitch // WIDEST, timed=chunk.launch.timed, cell=WIDEST)
        self.in_flight: InFlight | None = None


class SharedBuffer:
    """A region, seen as elements of one dtype."""

    def __init__(self, watched: WatchedArray, region: Region) -> None:
        self.watched = watched
        self.dtype = watched.dtype
        self.region = region
        self.unit = watched.cell_bytes
        self._views: dict[Scalar, SharedBuffer] = {}
        self._pitch = region.memory.shape[1] // self.unit
        if self.unit == self.dtype.itemsize:
            self.data = region.memory.view(self.dtype)
            self._flat = self.data.reshape(-1)
        else:
            self._flat = spread(region.memory.reshape(-1), self.dtype, self.unit)
            self.data = np.lib.stride_tricks.as_strided(
                self._flat,
                (len(region.memory), self._pitch + 1 - self.dtype.itemsize // self.unit),
                (region.memory.shape[1], self.unit),
            )

    def load(self, index: Ints, here: ExecutionPoint) -> Vector:
        """See `Buffer`."""
        self._count("load", "load", index, here)
        self.report_in_flight("load", index, here)
        missing = self._watch("load", index, here)
        value = self._read(index, here)
        self._note("load", index, here, value)
        poison = here.chunk.launch.poison
        if missing is not None and poison is not None and here.site.number in poison.sites:
            value = poison.replace(value, missing)
        return value

    def _read(self, index: Ints, here: ExecutionPoint) -> Vector:
        if len(index) == 1:
            run = here.chunk.patterns.find(index).run
            if run >= 0:
                return self.data[:, run : run + index.size].copy()
            return self._take_columns(index[0])
        return take_cells(self._flat, index + self.rows_of(here.chunk) * self._pitch)

    def rows_of(self, chunk: Chunk) -> Ints:
        """Return whose memory it is for the threads of each block: (blocks, 1), their own."""
        return np.arange(chunk.blocks, dtype=np.int64)[:, None]

    def _take_columns(self, columns: Ints) -> Vector:
        """Return some cells of every block; `take` is faster, but copies what is not contiguous."""
        data = self.data
        found: Vector = data.take(columns, axis=1) if data.flags.c_contiguous else data[:, columns]
        return found

    def store(self, index: Ints, value: Vector, here: ExecutionPoint) -> None:
        """See `Buffer`."""
        self._count("store", "store", index, here)
        self.report_in_flight("store", index, here)
        mask, accessors = here.mask, self._accessors(index, here)
        differs = cache(lambda: self._differs(index, value, here))  # once for all parts
        if here.chunk.launch.replicated:  # copies of one sum, rounded in other orders
            differs = cache(lambda: np.zeros(1, dtype=np.bool_))
        same_races = here.chunk.launch.same_races
        self._hazards("store", accessors, here, None if same_races else differs)
        self._note("store", index, here, value)
        if len(index) == mask.rows == 1:
            self._write_columns(index, value, here)
        else:
            self._flat[self._flat_index(index, here)] = take_active(value, mask)
        met = self._mark("store", accessors, here.site)
        if met is not None and not here.chunk.launch.replicated:
            lost = met[0] if same_races else met[0] & self._differs(index, value, here)
            element = self._by_element(accessors)
            here.chunk.charge(report_collisions(self.watched, lost, met[1], element, here.scene))

    def atomic(self, index: Ints, here: ExecutionPoint, update: AtomicUpdate) -> Vector:
        """See `Buffer`."""
        kind: Kind = "atomic" if update.strength.writes else "poll"
        self._count(update.counted, cast("BankKind", update.kind), index, here)
        self._watch(kind, index, here, reads=update.reads)
        self._note("atomic", index, here, self._read(index, here))
        cells = self._flat_index(index, here)
        here.order(Location(self.region, cells * self.unit // _WORD), update.strength)
        return run_atomic(self._flat, cells, here, update)

    def count(self, kind: str, index: Ints, here: ExecutionPoint, banks: str) -> None:
        """See `Buffer`."""
        self._count(kind, cast("BankKind", banks), index, here)

    def check_proxy(
        self, index: Ints, here: ExecutionPoint, fences: ProxyFences, *, multiplies: bool
    ) -> None:
        """Report stores that a copy, or a product, misses, since no proxy fence is behind them."""
        record = self.region.shadow.record("store")
        accessors = self._accessors(index, here)
        missing = None if record is None else fences.find_missing(record, accessors)
        if record is None or missing is None or not missing.any():
            return
        at = int(np.argmax(missing))
        cell = int(np.asarray(accessors.cells)[at])
        site = here.chunk.launch.sites[int(record.site[cell])]
        line, array = site.line, self.watched.label
        if multiplies:
            what = fact("finding.wgmma-no-proxy-fence", line=line, array=array)
        else:
            what = fact("finding.no-proxy-fence", line=line, array=array)
        here.report("race", here.mask.full, what, topic="proxy")

    def mark_in_flight(
        self, index: Ints, here: ExecutionPoint, find_wait: Callable[[Site, int, int], Site | None]
    ) -> None:
        """Note that these threads have a copy under way to these elements; see `InFlight`."""
        region = self.region
        if region.in_flight is None:
            region.in_flight = InFlight(len(region.memory), region.memory.shape[1] // _WORD)
        region.in_flight.find_wait = find_wait
        rows, words, threads = self._words(index, here.mask)
        self.report_in_flight("store", index, here)
        for word in range(self.dtype.itemsize // _WORD):
            region.in_flight.thread[rows, words + word] = threads
            region.in_flight.site[rows, words + word] = here.site.number
        region.in_flight.count += len(rows)

    def clear_in_flight(self, index: Ints, here: ExecutionPoint) -> None:
        """Forget it: the copy is waited for."""
        in_flight = self.region.in_flight
        assert in_flight is not None  # it took off
        rows, words, _ = self._words(index, here.mask)
        for word in range(self.dtype.itemsize // _WORD):
            in_flight.thread[rows, words + word] = 0
        in_flight.count -= len(rows)

    def _words(self, index: Ints, mask: Mask) -> tuple[Ints, Ints, Ints]:
        """Return block, word, and number in the block, from 1, of each thread of a mask."""
        rows, threads = np.nonzero(mask.full)
        return rows, take_active(index, mask) * self.unit // _WORD, threads + 1

    def report_in_flight(self, kind: Kind, index: Ints, here: ExecutionPoint) -> None:
        """Report threads that access what a thread copies that has not waited for it."""
        in_flight = self.region.in_flight
        if in_flight is None or not in_flight.count:
            return
        rows, words, threads = self._words(index, here.mask)
        copying = in_flight.thread[rows, words]
        own = copying == threads
        early = own if own.any() else copying != 0
        if not early.any():
            return
        at = int(np.argmax(early))
        copier = int(copying[at]) - 1
        site = here.chunk.launch.sites[int(in_flight.site[rows[at], words[at]])]
        lanes = np.zeros_like(here.mask.full)
        lanes[rows[early], threads[early] - 1] = True
        element = int(take_active(index, here.mask)[at])
        named, access, line = self.watched.element(element), ACCESSES[kind], site.line
        what = fact("finding.own-copy", access=access, element=named, line=line)
        if not own.any():
            thread = str(here.chunk.geometry.thread_at(copier))
            what = fact(
                "finding.other-copy", access=access, element=named, thread=thread, line=line
            )
        wait = in_flight.find_wait(site, int(rows[at]), copier)
        if wait is not None:
            what = fact("finding.lax-wait", found=what, wait=wait.line)
        here.report(
            "race", lanes, what, topic="own copy", other_line=site.line,
            other_column=site.column, other_file=site.file, **self.watched.facts(element),
        )  # fmt: skip

    def look(self, row: int, cells: Ints) -> tuple[Vector, Bools, ShadowInts]:
        """Return what elements of one block hold, which were written, and at which site last."""
        shadow = self.region.shadow
        wide = shadow.cells_of(self.unit)
        first = row * shadow.cells if shadow.rows > 1 else 0
        at = first + cells * wide
        last: ShadowInts = np.zeros(at.shape, dtype=np.int32)
        for record in map(shadow.record, _WRITES):
            if record is not None:
                last = np.where(record.thread[at] != 0, record.site[at], last)
        return self.data[row][cells], last != 0, last

    def reinterpret(self, dtype: Scalar) -> SharedBuffer:
        """See `Buffer`."""
        if dtype not in self._views:
            size = sum(self.watched.shape[:1]) * self.dtype.itemsize // dtype.itemsize
            watched = replace(self.watched, dtype=dtype, unit=0, shape=(size,), strides=(1,))
            self._views[dtype] = self.view_as(watched)
        return self._views[dtype]

    def view_as(self, watched: WatchedArray) -> SharedBuffer:
        """Return the same memory as other elements."""
        return SharedBuffer(watched, self.region)

    def distance(self, other: Buffer, _place: int) -> int:
        """See `Buffer`: all shared memory of a block is one space."""
        other = whole_of(other)
        assert isinstance(other, SharedBuffer)
        return (other.region.base - self.region.base) // self.unit

    def _flat_index(self, index: Ints, here: ExecutionPoint) -> Ints:
        """Return the flat index into the data of all blocks for each thread of the mask."""
        return take_active(index + self.rows_of(here.chunk) * self._pitch, here.mask)

    def _accessors(self, index: Ints, here: ExecutionPoint) -> Accessors:
        """Return the accessing threads with their cells of the shadow (the first of each element).

        One block stands for all while all do the same.
        """
        chunk, mask, _ = here
        shadow = self.region.shadow
        wide = shadow.cells_of(self.unit)
        cells = index if wide == 1 else index * wide
        alike = len(index) == mask.rows == shadow.rows == chunk.clock.rows == 1
        if alike and chunk.launch.log is None and chunk.launch.fences is None:
            cells = stretch(cells, (1, mask.threads))
            cells = cells.reshape(-1) if mask.lanes is None else cells[mask.lanes]
            return chunk.accessors(cells, mask, chunk.in_block, 1)
        shadow.separate(chunk.blocks, chunk.threads)
        first = self.rows_of(chunk) * shadow.cells
        before = chunk.first_block * chunk.threads
        numbers = chunk.in_grid - before
        found = chunk.accessors(take_active(cells + first, mask), mask, numbers, chunk.blocks)
        fences = chunk.launch.fences
        return found if fences is None else replace(found, fences=fences, before=before)

    def _watch(
        self, kind: Kind, index: Ints, here: ExecutionPoint, *, reads: bool = True
    ) -> Bools | None:
        """Find races of reads and atomics; return the lanes that read unwritten elements."""
        accessors = self._accessors(index, here)
        missing = None
        written = self._find_written(accessors) if reads else None
        if written is not None and not written.all():
            missing = self._find_uninitialized(~written, index, here, used=kind != "load")
        self._hazards(kind, accessors, here)
        self._mark(kind, accessors, here.site)
        return missing

    def _find_written(self, accessors: Accessors) -> Bools:
        """Return which threads' elements were written, all cells of each."""
        shadow = self.region.shadow
        written = shadow.find_written(accessors.cells)
        for part in islice(self._parts(accessors), 1, None):
            written &= shadow.find_written(part.cells)
        return written

    def _note(self, kind: Kind, index: Ints, here: ExecutionPoint, value: Vector) -> None:
        log = here.chunk.launch.log
        if log is None:
            return
        given = take_active(value, here.mask)
        old = self._flat[self._flat_index(index, here)] if kind == "store" else given
        accessors = self._accessors(index, here)
        shadow = self.region.shadow
        log.note(self.watched, kind, accessors, (given, old), shadow.cells, mixed=shadow.mixed)

    def _parts(self, accessors: Accessors) -> Iterator[Accessors]:
        """Yield the threads once for each cell of an element."""
        yield accessors
        if not isinstance(accessors.cells, slice):
            for part in range(1, self.dtype.itemsize // self.region.shadow.cell):
                yield replace(accessors, cells=accessors.cells + part)

    def _hazards(
        self,
        kind: Kind,
        accessors: Accessors,
        here: ExecutionPoint,
        differs: Callable[[], Bools] | None = None,
    ) -> None:
        for part in self._parts(accessors):
            if found := self.region.shadow.hazards(kind, part, differs, here.site.tickets):
                element = self._by_element(accessors)
                here.chunk.charge(report_races(self.watched, kind, found, element, here.scene))

    def _by_element(self, accessors: Accessors) -> Accessors:
        """Return the threads with elements numbered within their block, as a finding shows them."""
        wide = self.region.shadow.cells_of(self.unit)
        cells = np.asarray(accessors.cells)
        return replace(accessors, cells=cells % self.region.shadow.cells // wide)

    def _mark(
        self, kind: Kind, accessors: Accessors, site: Site
    ) -> tuple[Bools, ShadowInts] | None:
        met: tuple[Bools, ShadowInts] | None = None
        for part in self._parts(accessors):
            also = self.region.shadow.mark(kind, part, site.number)
            met = met or also
        return met

    def _differs(self, index: Ints, value: Vector, here: ExecutionPoint) -> Bools:
        """Test which threads' values differ from memory, in any block."""
        mask = here.mask
        if self.region.shadow.rows > 1:
            everywhere = self._flat_index(index, here)
            return np.asarray(self._flat[everywhere] != take_active(value, mask))
        columns = stretch(index, (1, mask.threads))[0]
        there = self._take_columns(columns) != value
        anywhere = stretch(there, (mask.blocks, mask.threads))
        differs: Bools = np.logical_or.reduce(anywhere, axis=0)
        return differs if mask.lanes is None else differs[mask.lanes[0]]

    def _write_columns(self, index: Ints, value: Vector, here: ExecutionPoint) -> None:
        """Write into the same elements of every block."""
        mask = here.mask
        columns = stretch(index, (1, mask.threads))[0]
        if mask.lanes is not None:
            lanes = mask.lanes[0]
            given = value if value.shape[1] == 1 else value[:, lanes]
            self.data[:, columns[lanes]] = given
            return
        run = here.chunk.patterns.find(index).run if index.size == mask.threads else -1
        if run >= 0:
            self.data[:, run : run + index.size] = value
        else:
            self.data[:, columns] = stretch(value, (mask.blocks, mask.threads))

    def _find_uninitialized(
        self, missing: Bools, index: Ints, here: ExecutionPoint, *, used: bool
    ) -> Bools:
        mask = here.mask
        rows = self.region.shadow.rows
        lanes = np.zeros((rows, mask.threads), dtype=np.bool_)
        if mask.lanes is None:
            lanes[...] = missing.reshape(rows, mask.threads)
        else:
            lanes[np.broadcast_to(mask.lanes, lanes.shape)] = missing
        element = int(np.broadcast_to(index, lanes.shape).flat[int(np.argmax(lanes))])
        here.report(
            "uninitialised-read",
            lanes,
            fact("finding.uninitialised-read.shared", element=self.watched.element(element)),
            topic="shared atomic" if used else "shared",
            **self.watched.facts(element),
        )
        return lanes

    def _count(self, kind: str, bank_kind: BankKind, index: Ints, here: ExecutionPoint) -> None:
        here.chunk.charge(_ACCESS + _THREAD[kind] * here.mask.count)
        if here.site.dropped:
            return
        (wavefronts, ideal, conflicts), worst = self._cost(bank_kind, index, here)
        here.site.keep_worst(worst)
        counts = here.site.counts
        counts[f"shared_{kind}_requests"] += here.mask.warps
        counts[f"shared_{kind}_wavefronts"] += wavefronts
        counts[f"shared_{kind}_ideal"] += ideal
        counts[f"shared_{kind}_conflicts"] += conflicts
        counts[f"shared_{kind}_lanes"] += here.mask.count

    def _cost(
        self, kind: BankKind, index: Ints, here: ExecutionPoint
    ) -> tuple[tuple[int, int, int], WarpAccessCost]:
        """Return wavefronts, ideal and conflicts of all warps, and the worst warp access.

        A pattern costs the same wherever it is shifted to by whole words.
        """
        chunk, mask, _ = here
        width, launch = self.dtype.itemsize, chunk.launch
        rows = max(len(index), mask.rows)
        if rows > 1:
            return self._count_wavefronts(kind, index, here)
        unit = max(_period(launch.arch) // self.unit, 1)
        shifted = index - (chunk.patterns.find(index).bounds[0] // unit) * unit
        lanes = b"" if mask.lanes is None else mask.lanes.tobytes()
        offset = self.region.base % _ONE_WORD_ROWS
        known = (kind, width, self.unit, offset, index.shape, shifted.tobytes(), lanes)
        if known not in launch.costs:
            launch.costs[known] = self._count_wavefronts(kind, index, here)
        (wavefronts, ideal, conflicts), worst = launch.costs[known]
        blocks = mask.blocks
        return (wavefronts * blocks, ideal * blocks, conflicts * blocks), worst

    def _count_wavefronts(
        self, kind: BankKind, index: Ints, here: ExecutionPoint
    ) -> tuple[tuple[int, int, int], WarpAccessCost]:
        """Apply the bank model; to one block, if all do the same."""
        chunk, mask, _ = here
        shape, width = (max(len(index), mask.rows), mask.threads), self.dtype.itemsize
        addresses = stretch(index, shape).reshape(-1, LANES)
        addresses = addresses * self.unit + self.region.base
        active = None
        if mask.lanes is not None:
            active = stretch(mask.lanes, shape).reshape(-1, LANES)
        chunk.charge(_MODEL + _WARP * len(addresses))
        arch = chunk.launch.arch
        if len(addresses) > _FEW_WARPS:
            return _apply_model(kind, width, arch, addresses, active)
        lanes = None if active is None else active.tobytes()
        return _recall_cost(kind, width, arch, addresses.astype(np.int64).tobytes(), lanes)


@lru_cache(maxsize=1024)
def _recall_cost(
    kind: BankKind, width: int, arch: str, addresses: bytes, active: bytes | None
) -> tuple[tuple[int, int, int], WarpAccessCost]:
    """Apply the bank model once to what launches repeat; it takes 0.4 ms even for one warp."""
    lanes = None if active is None else np.frombuffer(active, np.bool_).reshape(-1, LANES)
    return _apply_model(
        kind, width, arch, np.frombuffer(addresses, np.int64).reshape(-1, LANES), lanes
    )


def _apply_model(
    kind: BankKind, width: int, arch: str, addresses: Ints, active: Bools | None
) -> tuple[tuple[int, int, int], WarpAccessCost]:
    costs = cost_many(kind, width, addresses, active, arch)
    sums = (int(costs.wavefronts.sum()), int(costs.ideal.sum()), int(costs.conflicts.sum()))
    worst = int(np.argmax(costs.wavefronts - costs.ideal))
    return sums, WarpAccessCost(
        kind,
        width,
        addresses[worst],
        np.ones(LANES, dtype=np.bool_) if active is None else active[worst],
        int(costs.wavefronts[worst]),
        int(costs.ideal[worst]),
    )


def shared_array(
    label: str, dtype: Scalar, region: Region, shape: tuple[int, ...], *, dynamic: bool = False
) -> View:
    """View a region as an array; `dynamic` if the launch gives its size."""
    watched = row_major(
        "shared",
        label,
        dtype,
        () if dynamic else shape,
        base=region.base,
        first_block=region.first_block,
        dynamic=dynamic,
    )
    return array_of(watched, lambda own: SharedBuffer(own, region), shape)


def _period(arch: str) -> int:
    """Return the bytes by which addresses can be shifted at the same cost."""
    row = architecture(arch)
    return 4 if row.row_bytes == _ONE_WORD_ROWS else row.row_bytes
