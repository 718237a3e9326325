"""Blocks that advance together, and what is known about the launch they belong to.

`LaunchState` lives as long as a launch, a `Chunk` while its blocks run. Knows no syntax tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.clock import Clock
from grader.simt.counters import Site, Sites, WarpAccess
from grader.simt.elements import Watched
from grader.simt.fences import Fences, Moment
from grader.simt.findings import Finding, Findings, Kind, Three
from grader.simt.masks import LANES, Mask
from grader.simt.meter import Meter
from grader.simt.patterns import Patterns
from grader.simt.shadow import Cells, Ints, Who
from grader.simt.watching import Read, Watch

OPERATION = 16_000
"""An operation on few threads takes as long as one on this many: NumPy's own time."""


class OutOfBudget(Exception):
    """The launch has used up its operations; `site` is the loop that went round most often."""

    def __init__(self, site: Site) -> None:
        super().__init__()
        self.site = site


class Raised(Exception):
    """A thread raised an error where that is looked at: with `debug=True`.

    Attributes:
        error: as the host raises it.
    """

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error


@dataclass
class LaunchState:
    """What the chunks of a launch have in common.

    Attributes:
        grid, block: (x, y, z).
        meter: counts operations.
        arch: the architecture whose banks count.
        timed: whether the kernel has any barrier.
        dynamic_bytes: shared memory given at the launch.
        fences: None for a kernel without any.
        watch: a thread whose reads are kept, if any.
        static_bytes: shared memory of arrays whose size the source gives.
        dynamic_cell: bytes of the smallest element of dynamic shared memory.
        printed: is told each line that a thread prints; None: nobody looks.
        costs: what `grader.banks` said of warps' addresses, by pattern.
    """

    grid: Three
    block: Three
    sites: Sites
    findings: Findings
    meter: Meter
    arch: str
    timed: bool
    dynamic_bytes: int
    static_bytes: int = 0
    dynamic_cell: int = 1
    fences: Fences | None = None
    watch: Watch | None = None
    printed: Callable[[str], None] | None = None
    costs: dict[Any, tuple[tuple[int, int, int], WarpAccess]] = field(default_factory=dict)

    @property
    def block_threads(self) -> int:
        """Threads of a block."""
        x, y, z = self.block
        return x * y * z

    @property
    def padded(self) -> int:
        """Threads of a block, in whole warps."""
        return -(-self.block_threads // LANES) * LANES


@dataclass(eq=False, slots=True)
class Split:
    """A branch or a loop that is under way.

    Attributes:
        mask: who came to it.
        rounds: of a loop, so far; 0 for a branch.
    """

    mask: Mask
    site: Site
    rounds: int = 0


class Chunk:
    """Some blocks, one after the other in the grid.

    Attributes:
        memory: the arrays that were declared, by their declaration.
        returned: who has returned from the kernel, and where.
        splits: branches and loops that are under way, outermost first.
    """

    def __init__(self, launch: LaunchState, first_block: int, blocks: int) -> None:
        self.launch = launch
        self.first_block = first_block
        self.blocks = blocks
        self.threads = launch.padded
        self.clock = Clock(blocks, self.threads, timed=launch.timed)
        self.patterns = Patterns()
        self.memory: dict[Any, Any] = {}
        self.returned: list[tuple[Mask, Site]] = []
        self.splits: list[Split] = []

    @cached_property
    def everyone(self) -> Mask:
        """All threads that there are: the last warp of a block may lack some."""
        if self.threads == self.launch.block_threads:
            return Mask(None, self.blocks, self.threads)
        lanes = np.arange(self.threads)[None, :] < self.launch.block_threads
        return Mask(lanes, self.blocks, self.threads)

    @cached_property
    def thread_index(self) -> tuple[NDArray[np.int32], ...]:
        """threadIdx.x, .y, .z: (1, threads) each, or (1, 1) where there is one."""
        number = np.arange(self.threads, dtype=np.int32)[None, :]
        x, y, z = self.launch.block
        parts = number % x, number // x % y, number // (x * y) % max(z, 1)
        zero = np.zeros((1, 1), dtype=np.int32)
        return tuple(
            part if size > 1 else zero for part, size in zip(parts, (x, y, z), strict=True)
        )

    @cached_property
    def block_index(self) -> tuple[NDArray[np.int32], ...]:
        """blockIdx.x, .y, .z: (blocks, 1) each, or (1, 1) where there is one."""
        number = np.arange(self.first_block, self.first_block + self.blocks, dtype=np.int64)
        x, y, _ = self.launch.grid
        parts = number % x, number // x % y, number // (x * y)
        return tuple(
            (part if part.min() != part.max() else part[:1]).astype(np.int32)[:, None]
            for part in parts
        )

    @cached_property
    def position(self) -> tuple[NDArray[np.int64], ...]:
        """What `cuda.grid` gives: the absolute position on each axis."""
        return tuple(
            thread.astype(np.int64) + block.astype(np.int64) * size
            for thread, block, size in zip(
                self.thread_index, self.block_index, self.launch.block, strict=True
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

    def who(self, cells: Cells, mask: Mask, numbers: Ints, rows: int) -> Who:
        """The threads of a mask, for the shadow of some memory.

        Args:
            cells: that they access, one each.
            mask: who.
            numbers: `in_grid`, or `in_block` for memory that each block has its own of.
            rows: 1 where one block stands for all, else all blocks.
        """
        clock = self.clock
        thread = _chosen(numbers, mask, rows)
        if not clock.timed:
            zero = np.zeros(1, dtype=np.int32)
            return Who(cells, thread, zero, zero, clock.grid, self.threads)
        now = _chosen(clock.now, mask, rows)
        since = _chosen(clock.since, mask, rows) if len(clock.since) > 1 else clock.since[0]
        return Who(cells, thread, now, since, clock.grid, self.threads)

    def moment(self, mask: Mask) -> Moment:
        """The threads of a mask, for fences."""
        who = self.who(slice(0), mask, self.in_grid, self.blocks)
        return Moment(who.thread, who.now, who.since)

    def thread(self, lane: int) -> tuple[Three, Three]:
        """Block and thread, (x, y, z) each, of a place in (blocks, threads), flattened."""
        block, thread = divmod(lane, self.threads)
        return self.block_at(self.first_block + block), self.thread_at(thread)

    def block_at(self, number: int) -> Three:
        """(x, y, z) of a block of the grid."""
        x, y, _ = self.launch.grid
        return number % x, number // x % y, number // (x * y)

    def thread_at(self, number: int) -> Three:
        """(x, y, z) of a thread of a block."""
        x, y, _ = self.launch.block
        return number % x, number // x % y, number // (x * y)

    def waits_for(self, mask: Mask) -> bool:
        """Whether any thread is elsewhere and may go on from where those of a mask come to."""
        elsewhere = np.zeros_like(mask.full)
        for split in self.splits:
            elsewhere |= split.mask.full
        for gone, _ in self.returned:
            elsewhere &= ~gone.full
        return bool((elsewhere & ~mask.full).any())

    def spend(self, site: Site, mask: Mask) -> None:
        """Count a statement.

        Raises:
            OutOfBudget: there are no operations left.
        """
        meter = self.launch.meter
        meter.left -= OPERATION + mask.blocks * mask.threads
        if meter.left < 0 and not meter.goes_on():
            busiest = self.busiest
            raise OutOfBudget(busiest.site if busiest else site)

    def charge(self, operations: int) -> None:
        """Count what a statement takes beyond its own operation; `spend` sees to its end."""
        self.launch.meter.left -= operations

    @property
    def busiest(self) -> Split | None:
        """Of the loops that are under way, the one that went round most often."""
        loops = [split for split in self.splits if split.rounds]
        return max(loops, key=lambda split: split.rounds, default=None)


class Here(NamedTuple):
    """Where a chunk is: which threads of it, at which place of the source."""

    chunk: Chunk
    mask: Mask
    site: Site

    def note_load(self, watched: Watched, index: NDArray[Any], value: NDArray[Any]) -> None:
        """Threads here have read elements: what it was, if one is watched."""
        chunk, mask, site = self
        watch = chunk.launch.watch
        lane = None if watch is None else watch.lane(int(chunk.in_grid[0, 0]), mask.full)
        if watch is not None and lane is not None:
            shape = (chunk.blocks, chunk.threads)
            cell = int(np.broadcast_to(index, shape).flat[lane])
            found = np.broadcast_to(value, shape).flat[lane].item()
            place = site.line, site.column, site.file
            watch.loaded(Read(watched.label, watched.index(cell), found, *place))

    def note_store(self, label: str, index: NDArray[Any]) -> None:
        """Threads here have written to global memory."""
        chunk, mask, _ = self
        watch = chunk.launch.watch
        lane = None if watch is None else watch.lane(int(chunk.in_grid[0, 0]), mask.full)
        if watch is not None and lane is not None:
            shape = (chunk.blocks, chunk.threads)
            watch.stored(label, int(np.broadcast_to(index, shape).flat[lane]))

    def report(self, kind: Kind, lanes: NDArray[np.bool_], message: str, **facts: Any) -> None:
        """A finding about some threads.

        Args:
            kind: of finding.
            lanes: which threads; broadcasts to the chunk.
            message: for the person.
            facts: further attributes of the finding; `topic` is part of what makes it the same.
        """
        chunk, _, site = self
        full = np.broadcast_to(lanes, (chunk.blocks, chunk.threads))

        def first() -> Finding:
            block, thread = chunk.thread(int(np.argmax(full)))
            return Finding(
                kind,
                site.line,
                site.column,
                message,
                file=site.file,
                block=block,
                threads=(thread,),
                **facts,
            )

        key = (kind, facts.get("topic", ""), site.number)
        chunk.launch.findings.add(key, int(np.count_nonzero(full)), first)


def _chosen(values: Ints, mask: Mask, rows: int) -> Ints:
    if mask.lanes is None:
        return np.broadcast_to(values, (rows, mask.threads)).reshape(-1)
    shape = (rows, mask.threads)
    chosen: Ints = np.broadcast_to(values, shape)[np.broadcast_to(mask.lanes, shape)]
    return chosen
