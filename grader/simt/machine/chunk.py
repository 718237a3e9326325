"""Blocks that advance together, and the state of the launch they belong to.

`LaunchState` lives as long as a launch, a `Chunk` while its blocks run. Knows no syntax tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact
from grader.simt.checks.consequence import Poison
from grader.simt.checks.counters import Site, Sites, WarpAccessCost
from grader.simt.checks.fences import Fence, FenceArrival, Fences, Location, Strength
from grader.simt.checks.findings import Finding, Findings, Kind
from grader.simt.checks.harmless import AccessLog
from grader.simt.checks.race_findings import Scene
from grader.simt.checks.shadow import Accessors, CellIndex, Ints
from grader.simt.geometry import Geometry, Three, volume
from grader.simt.machine.clock import WarpClock
from grader.simt.machine.meter import Meter
from grader.simt.machine.patterns import Kept, Patterns, keep
from grader.simt.machine.workload import LaunchWork, ThreadWork
from grader.simt.masks import LANES, Mask, spread_in_warps, stretch

_T = TypeVar("_T")
OPERATION = 16_000
"""An operation on few threads takes as long as one on this many: NumPy's own time."""
OPERATION_OF_FUNCTION = 20
"""Operations of a function, for each value."""


_ZERO: Ints = np.zeros(1, dtype=np.int32)


class OutOfBudget(Exception):
    """The launch has used up its operations; `site` is the loop with the most iterations."""

    def __init__(self, site: Site) -> None:
        super().__init__()
        self.site = site


class NoProgress(Exception):
    """Threads wait for what no thread will change; that is reported."""


class ThreadError(Exception):
    """A thread ended its launch: it trapped, an assertion failed, or it raised with `debug=True`.

    Attributes:
        error: as the host raises it.
        what: the same as a fact.
    """

    def __init__(self, error: BaseException, what: Fact, site: Site) -> None:
        super().__init__()
        self.error = error
        self.what = what
        self.site = site


@dataclass
class LaunchState:
    """What the chunks of a launch have in common.

    Attributes:
        arch: the architecture whose banks count.
        timed: True if the kernel has any barrier.
        dynamic_bytes: shared memory given at the launch.
        fences: None for a kernel without any.
        static_bytes: shared memory of arrays whose size the source gives.
        dynamic_base: where the dynamic array begins in a block's shared memory.
        log: of accesses to racing cells; None unless a launch is run again for it.
        same_races: True if threads that store the same value race, too.
        replicated: True if several threads may hold copies of one element.
        poison: what a read of uninitialized memory at one site gets; None: zeros.
        printed: called with each line that a thread prints; None: lines are dropped.
        characters: of the lines that were printed.
        costs: costs by `grader.banks` of warps' addresses, by pattern.
        grid_synced: True if the whole grid synchronizes anywhere.
        cooperative: False if the launch does not let it.
        memory: what the chunks know of memory, by what it belongs to.
        serial: which launch it is of this process; the same where one is repeated.
        changes: how often atomics changed memory while a loop is looked at, and threads left one.
        watching: how many loops are looked at.
        work: statements of the threads of all chunks that have ended.
        more_memory: global memory that chunks have met beside the arguments.
    """

    geometry: Geometry
    sites: Sites
    findings: Findings
    meter: Meter
    arch: str
    timed: bool
    dynamic_bytes: int
    static_bytes: int = 0
    dynamic_base: int = 0
    fences: Fences | None = None
    poison: Poison | None = None
    log: AccessLog | None = None
    same_races: bool = False
    replicated: bool = False
    printed: Callable[[str], None] | None = None
    characters: int = 0
    costs: dict[Any, tuple[tuple[int, int, int], WarpAccessCost]] = field(default_factory=dict)
    grid_synced: bool = False
    cooperative: bool = True
    memory: dict[Any, Any] = field(default_factory=dict)
    serial: int = 0
    changes: int = 0
    watching: int = 0
    work: LaunchWork = field(default_factory=LaunchWork)
    more_memory: list[Any] = field(default_factory=list)

    def note_change(self) -> None:
        """Count a change of what a loop may wait for."""
        self.changes += 1


@dataclass(eq=False, slots=True)
class Split:
    """A branch or a loop that is under way.

    Attributes:
        mask: the threads that reached it.
        rounds: iterations of a loop so far; 0 for a branch.
        around: of a loop, what was under way when it was reached.
    """

    mask: Mask
    site: Site
    rounds: int = 0
    around: Sequence[Split] = ()


class Chunk:
    """Some blocks, one after the other in the grid.

    Attributes:
        size: the threads that an operation is charged for.
        cluster: the blocks of a cluster; those of one follow each other, by their rank.
        memory: the arrays that were declared, by their declaration.
        returned: the threads that returned from the kernel, and where.
        raised: (blocks, threads): those of them that a device function ended; None without any.
        splits: branches and loops that are under way, outermost first.
        at_end: what is to be done once all threads have ended.
        calls: where the functions that run were called, outermost first.
        unmet: calls of warp primitives that wait for lanes (`intrinsics.participants`).
        work: statements by thread.
    """

    def __init__(self, launch: LaunchState, first_block: int, blocks: int) -> None:
        self.launch = launch
        self.geometry = launch.geometry
        self.first_block = first_block
        self.blocks = blocks
        self.threads = launch.geometry.padded
        self.size = blocks * self.threads
        self.cluster = volume(launch.geometry.cluster)
        self.clock = WarpClock(blocks, self.threads, timed=launch.timed, cluster=self.cluster)
        self.work = ThreadWork(blocks, self.threads)
        self.patterns = Patterns()
        self._chosen: Kept[Ints] = {}
        self.memory: dict[Any, Any] = {}
        self.returned: list[tuple[Mask, Site]] = []
        self.raised: NDArray[np.bool_] | None = None
        self.splits: list[Split] = []
        self.calls: list[Site] = []
        self.unmet: list[Any] = []
        self.at_end: list[Callable[[], None]] = []

    @cached_property
    def everyone(self) -> Mask:
        """The mask of all threads that exist: the last warp of a block may lack some."""
        if self.threads == self.geometry.block_threads:
            return Mask(None, self.blocks, self.threads)
        lanes = np.arange(self.threads)[None, :] < self.geometry.block_threads
        return Mask(lanes, self.blocks, self.threads)

    @cached_property
    def thread_index(self) -> tuple[NDArray[np.int32], ...]:
        """threadIdx.x, .y, .z: (1, threads) each, or (1, 1) where there is one."""
        number = np.arange(self.threads, dtype=np.int32)[None, :]
        x, y, z = self.geometry.block
        parts = number % x, number // x % y, number // (x * y) % max(z, 1)
        zero = np.zeros((1, 1), dtype=np.int32)
        return tuple(
            part if size > 1 else zero for part, size in zip(parts, (x, y, z), strict=True)
        )

    @cached_property
    def block_index(self) -> tuple[NDArray[np.int32], ...]:
        """blockIdx.x, .y, .z: (blocks, 1) each, or (1, 1) where there is one."""
        number = np.arange(self.first_block, self.first_block + self.blocks, dtype=np.int64)
        if self.geometry.order is not None:
            number = np.asarray(self.geometry.order)[number]
        x, y, _ = self.geometry.grid
        parts = number % x, number // x % y, number // (x * y)
        return tuple(
            (part if part.min() != part.max() else part[:1]).astype(np.int32)[:, None]
            for part in parts
        )

    @cached_property
    def unsigned_thread_index(self) -> tuple[NDArray[np.uint32], ...]:
        """`thread_index` as uint32."""
        return tuple(part.view(np.uint32) for part in self.thread_index)

    @cached_property
    def unsigned_block_index(self) -> tuple[NDArray[np.uint32], ...]:
        """`block_index` as uint32."""
        return tuple(part.view(np.uint32) for part in self.block_index)

    @cached_property
    def position(self) -> tuple[NDArray[np.int64], ...]:
        """The value of `cuda.grid`: the absolute position on each axis."""
        return tuple(
            thread.astype(np.int64) + block.astype(np.int64) * size
            for thread, block, size in zip(
                self.thread_index, self.block_index, self.geometry.block, strict=True
            )
        )

    @cached_property
    def lane(self) -> NDArray[np.int32]:
        """(1, threads): the place in the warp."""
        return np.arange(self.threads, dtype=np.int32)[None, :] % LANES

    @cached_property
    def in_grid(self) -> Ints:
        """(blocks, threads): numbers of the threads in the grid, from 1."""
        last = (self.first_block + self.blocks) * self.threads
        dtype = np.int32 if last < np.iinfo(np.int32).max else np.int64
        first = self.first_block * self.threads + 1
        count = self.blocks * self.threads
        numbers: Ints = np.arange(first, first + count, dtype=dtype)
        return numbers.reshape(self.blocks, self.threads)

    @cached_property
    def in_block(self) -> Ints:
        """(1, threads): numbers of the threads in their block, from 1."""
        return np.arange(1, self.threads + 1, dtype=np.int32)[None, :]

    @property
    def exited(self) -> NDArray[np.bool_]:
        """(blocks, threads): True where a thread has returned from the kernel."""
        gone = np.zeros((self.blocks, self.threads), dtype=np.bool_)
        for mask, _ in self.returned:
            gone |= mask.full
        return gone

    def end(self, mask: Mask, site: Site) -> None:
        """End threads in a device function: they do nothing more."""
        self.returned.append((mask, site))
        self.raised = mask.full if self.raised is None else self.raised | mask.full

    def without_raised(self, mask: Mask) -> Mask | None:
        """Return a mask without the threads that a device function ended."""
        return mask if self.raised is None else mask.subtract(self.raised)

    def kept(self, kind: type[_T], make: Callable[[], _T]) -> _T:
        """Return what a kind of object keeps of these blocks, made when it is first asked for."""
        known: _T | None = self.memory.get(kind)
        if known is None:
            known = self.memory[kind] = make()
        return known

    def accessors(self, cells: CellIndex, mask: Mask, numbers: Ints, rows: int) -> Accessors:
        """Describe the threads of a mask, for the shadow of some memory.

        Args:
            cells: that they access, one each.
            numbers: `in_grid`, or `in_block` for memory that each block has its own of.
            rows: 1 where one block stands for all, else all blocks.
        """
        clock, threads = self.clock, self.geometry.padded
        thread = self._choose(numbers, mask, rows)
        if not clock.timed:
            return Accessors(cells, thread, _ZERO, _ZERO, clock.grid, threads, cluster=self.cluster)
        now = self._choose(clock.now, mask, rows)
        since = self._choose(clock.since, mask, rows) if len(clock.since) > 1 else clock.since[0]
        known, vector = (
            None if each is None else _find_known(each, mask, rows)
            for each in (clock.known, clock.vector)
        )  # fmt: skip
        return Accessors(
            cells, thread, now, since, clock.grid, threads, known=known, vector=vector,
            cluster=self.cluster,
        )  # fmt: skip

    def _choose(self, values: Ints, mask: Mask, rows: int) -> Ints:
        """Return the values of a mask's threads: of the same values, the same vector."""
        key = id(values), id(mask), rows
        return keep(self._chosen, key, (values, mask), lambda: _choose(values, mask, rows))

    @contextmanager
    def acting_for(self, threads: Mask) -> Iterator[None]:
        """Have the lanes of a warp access memory for the one of them that is in a mask."""
        known, clock = (self.in_block, self.in_grid), self.clock
        self.clock = clock.acting_for(threads)
        for name, numbers in zip(("in_block", "in_grid"), known, strict=True):
            self.__dict__[name] = spread_in_warps(numbers, threads)
        try:
            yield
        finally:
            self.__dict__["in_block"], self.__dict__["in_grid"] = known
            self.clock = clock

    def moment(self, mask: Mask) -> FenceArrival:
        """Describe the threads of a mask, for fences."""
        accessors = self.accessors(slice(0), mask, self.in_grid, self.blocks)
        return FenceArrival(accessors.thread, accessors.now, accessors.since)

    def thread(self, lane: int) -> tuple[Three, Three]:
        """Return block and thread, (x, y, z) each, of a flat index in (blocks, threads)."""
        block, thread = divmod(lane, self.threads)
        return self.geometry.block_at(self.first_block + block), self.geometry.thread_at(thread)

    def waits_for(self, mask: Mask) -> bool:
        """Return True if threads elsewhere may continue from where the mask's threads get."""
        elsewhere = np.zeros_like(mask.full)
        for split in self.splits:
            elsewhere |= split.mask.full
        return bool((elsewhere & ~self.exited & ~mask.full).any())

    def has_others_beyond(self, mask: Mask, axis: int, size: int) -> bool:
        """Return True if a thread outside the mask is beyond `size` on an axis."""
        beyond = self.everyone.full & ~mask.full & (self.position[axis] > size)
        return bool(beyond.any())

    def spend(self, site: Site) -> None:
        """Count a statement.

        Raises:
            OutOfBudget: there are no operations left.
        """
        meter = self.launch.meter
        meter.left -= OPERATION + self.size
        if meter.left < 0 and not meter.goes_on():
            busiest = self.busiest
            raise OutOfBudget(busiest.site if busiest else site)

    def charge(self, operations: int) -> None:
        """Count what a statement takes beyond its own operation; `spend` checks the budget."""
        self.launch.meter.left -= operations

    @property
    def busiest(self) -> Split | None:
        """The loop under way with the most iterations; None outside of loops."""
        loops = [split for split in self.splits if split.rounds]
        return max(loops, key=lambda split: split.rounds, default=None)


class ExecutionPoint(NamedTuple):
    """Some threads of a chunk, at a place in the source."""

    chunk: Chunk
    mask: Mask
    site: Site

    @property
    def scene(self) -> Scene:
        """The place, as a check of races needs it."""
        launch = self.chunk.launch
        return Scene(launch.geometry, launch.sites, launch.findings, self.site)

    @property
    def in_kernel(self) -> ExecutionPoint:
        """The same threads at the line of the kernel that got them here through functions."""
        calls = self.chunk.calls
        return self._replace(site=calls[0]) if calls else self

    def order(self, at: Location, strength: Strength) -> None:
        """Note that the threads perform an atomic, in a kernel with fences."""
        fences = self.chunk.launch.fences
        if fences is not None:
            fences.atomic(self.chunk.moment(self.mask), at, strength, self.site.number)

    def fence(self, does: Fence) -> None:
        """Note that the threads execute a fence."""
        fences = self.chunk.launch.fences
        if fences is not None:
            fences.fence(self.chunk.moment(self.mask), does, self.site.number)

    def report(self, kind: Kind, lanes: NDArray[np.bool_], what: Fact, **facts: Any) -> None:
        """Report a finding about some threads.

        Args:
            lanes: the threads; broadcasts to the chunk.
            what: what happened to the first of them.
            facts: further attributes of the finding; `topic` is part of what makes it the same.
        """
        chunk, _, site = self
        full = np.broadcast_to(lanes, (chunk.blocks, chunk.threads))

        def make_finding() -> Finding:
            block, thread = chunk.thread(int(np.argmax(full)))
            return Finding(
                kind,
                site.line,
                site.column,
                what,
                file=site.file,
                block=block,
                threads=(thread,),
                **facts,
            )

        key = (kind, facts.get("topic", ""), site.number)
        chunk.launch.findings.add(key, int(np.count_nonzero(full)), make_finding)


def _find_known(known: Ints, mask: Mask, rows: int) -> Ints:
    """Return (threads of the mask, lanes or warps)."""
    full = np.broadcast_to(known, (rows, *known.shape[1:])).reshape(-1, known.shape[2])
    return full[np.broadcast_to(mask.full[:rows], (rows, mask.threads)).reshape(-1)]


def _choose(values: Ints, mask: Mask, rows: int) -> Ints:
    if mask.lanes is None:
        return stretch(values, (rows, mask.threads)).reshape(-1)
    shape = (rows, mask.threads)
    chosen: Ints = stretch(values, shape)[stretch(mask.lanes, shape)]
    return chosen
