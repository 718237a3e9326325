"""Split-phase barriers: `mbarrier`, and the named barriers of a block.

A phase completes when all expected threads have arrived and all expected bytes have been copied. A
thread that observes the completion is ordered after everything that was released by the arrivals.
A copy that reports to a barrier takes place when a thread next tests the barrier, so a read that
does not wait for it returns the old value.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact, fact
from grader.simt.checks.counters import Site
from grader.simt.checks.findings import Kind
from grader.simt.checks.shadow import find_before, find_scope
from grader.simt.intrinsics.clusters import ClusterBarrier
from grader.simt.machine.chunk import Chunk, ExecutionPoint
from grader.simt.machine.clock import WarpClock
from grader.simt.machine.frame import Value
from grader.simt.masks import LANES, Bools, Mask, unite
from grader.simt.memory.allocations import NO_RANK, allocations_of, name_rank, ranks_of
from grader.simt.memory.cluster_memory import note_access

Ints = NDArray[np.integer[Any]]
_STATE = (
    "expected", "pending", "bytes", "phase", "released", "complete", "init_thread", "init_time",
    "votes", "result",
)  # fmt: skip
"""The arrays of `Arrivals` with a row per block."""
_MOST_NAMED = 15
_AGAINST = 1 << 32
"""A vote against, in `Arrivals.votes`."""
BYTES = 8
"""Of an `mbarrier`."""
_LAST = 3
"""The rank of an explanation that others go before."""
_MOST_TURNS = 1 << 10
"""Phases that one instruction may end."""


@dataclass(frozen=True, eq=False)
class UnderWay:
    """A copy that reports to a barrier.

    Attributes:
        bytes: (blocks,): how many; 0 in blocks that do not copy.
        arrivals: (blocks,): how many arrive with it.
    """

    bytes: Ints
    arrivals: Ints
    finish: Callable[[], None]


@dataclass(eq=False)
class Arrivals:
    """The same barrier in every block of a chunk; arrays have one entry per block.

    Attributes:
        key: its address, or ("named", number).
        site: the line of the kernel that initialized it.
        expected: arrivals per phase.
        pending: arrivals still missing in this phase.
        bytes: still to be copied in this phase.
        phase: number of completed phases.
        released, complete: (blocks, warps of a cluster) the vector clock of all arrivals; of those
            up to the last complete phase.
        init_thread, init_time: (blocks,) which thread initialized it, and when.
        votes, result: (blocks,) how many threads voted for, and in the upper half how many voted
            against, in this phase and in the last complete one.
        waits: threads that last found the phase incomplete, by where, and by the kernel's line.
    """

    key: Hashable
    site: Site
    expected: Ints
    pending: Ints
    bytes: Ints
    phase: Ints
    released: Ints
    complete: Ints
    init_thread: Ints
    init_time: Ints
    votes: Ints
    result: Ints
    copies: list[UnderWay] = field(default_factory=list)
    waits: dict[tuple[Site, Site], Mask] = field(default_factory=dict)

    def end_phases(self, chunk: Chunk) -> None:
        """Begin the next phase where all have come, and so has every byte."""
        for _ in range(_MOST_TURNS):
            done = (self.pending <= 0) & (self.bytes == 0) & (self.expected > 0)
            if not done.any():
                return
            chunk.launch.note_change()
            self.phase = self.phase + done
            self.pending = np.where(done, self.pending + self.expected, self.pending)
            self.complete = np.where(done[:, None], self.released, self.complete)
            self.result = np.where(done, self.votes, self.result)
            self.votes = np.where(done, 0, self.votes)

    def settle(self, chunk: Chunk) -> None:
        """Let copies take place that report to it."""
        copies, self.copies = self.copies, []
        for each in copies:
            each.finish()
            self.bytes = self.bytes - each.bytes
            self.pending = self.pending - each.arrivals
            chunk.launch.note_change()
        self.end_phases(chunk)


class BlockBarriers:
    """The barriers of a chunk, by what names them."""

    def __init__(self) -> None:
        self.all: dict[Hashable, Arrivals] = {}


def barriers_of(chunk: Chunk) -> BlockBarriers:
    """Return the barriers of a chunk; copies that report to them take place before it ends."""
    known: BlockBarriers | None = chunk.memory.get(BlockBarriers)
    if known is None:
        known = chunk.memory[BlockBarriers] = BlockBarriers()
        chunk.at_end.append(partial(_settle_all, known, chunk))
    return known


def _settle_all(known: BlockBarriers, chunk: Chunk) -> None:
    for own in known.all.values():
        own.settle(chunk)


def initialize(here: ExecutionPoint, address: Value, count: Value) -> None:
    """Initialize barriers (`mbarrier.init`)."""
    chunk = here.chunk
    for key, _, mask in _each(here, address):
        own = _new(here._replace(mask=mask), key, _most(count, mask))
        own.init_thread = np.argmax(mask.full, axis=1)
        now = np.broadcast_to(chunk.clock.now, (chunk.blocks, chunk.threads))
        own.init_time = now[np.arange(chunk.blocks), own.init_thread]
        known = barriers_of(chunk).all.get(key)
        if known is not None:  # other blocks keep theirs
            there: Bools = np.asarray(mask.full.any(axis=1, keepdims=True))
            for name in _STATE:
                mine, theirs = getattr(own, name), getattr(known, name)
                setattr(own, name, np.where(there[:, 0] if mine.ndim == 1 else there, mine, theirs))
            own.copies = known.copies
        barriers_of(chunk).all[key] = own
    chunk.launch.note_change()


def _new(here: ExecutionPoint, key: Hashable, expected: Ints) -> Arrivals:
    chunk, zero = here.chunk, np.zeros(here.chunk.blocks, dtype=np.int64)
    warps = chunk.cluster * chunk.threads // LANES
    nothing = np.zeros((chunk.blocks, warps), dtype=np.int32)
    return Arrivals(
        key, here.in_kernel.site, expected, expected, zero, zero, nothing, nothing, zero - 1, zero,
        zero, zero,
    )  # fmt: skip


def _named(chunk: Chunk, key: Hashable) -> Fact:
    """Return what a barrier is called: by its array and its place there, or by its number."""
    if not isinstance(key, int):
        return fact("barrier.numbered", number=key[1])  # type: ignore[index]
    allocation = allocations_of(chunk.launch).at(key)
    if allocation is None:
        return fact("barrier.nowhere")
    watched, offset = allocation.find(chunk).watched, key - allocation.start
    size = watched.dtype.itemsize
    if watched.record is None and size == BYTES and not watched.dtype.names:
        return fact("barrier.of-array", name=watched.element(watched.first + offset // BYTES))
    if allocation.size == BYTES:
        return fact("barrier.of-array", name=watched.label)
    if allocation.start in barriers_of(chunk).all:  # compiled code has bytes, without their type
        return fact("barrier.of-array", name=f"{watched.label}[{offset // BYTES}]")
    return fact("barrier.of-bytes", name=watched.label, byte=offset)


def arrive_at_named(
    here: ExecutionPoint, name: Value, threads: Value, vote: Value | None = None
) -> Value:
    """Let whole warps, as the hardware counts them, arrive at a block's barriers of some threads.

    Args:
        name: the number of the barrier of each.
        threads: that the barrier waits for; 0: all of the block.
        vote: of each, where the barrier reduces them.

    Returns:
        The phase in which each one did, int64.
    """
    chunk, tokens = here.chunk, np.zeros((here.chunk.blocks, here.chunk.threads), dtype=np.int64)
    here.site.counts["barriers"] += here.mask.warps
    for number, _, mask in _each(here, name):
        key = "named", number
        own = barriers_of(chunk).all.get(key)
        wanted = _most(threads, mask)
        if number > _MOST_NAMED or (wanted % LANES).any():
            what = fact("finding.named-barrier", number=number, threads=int(wanted.max()))
            here.report("barrier-divergence", mask.full, what, topic="named")
        wanted = np.where((wanted == 0) & mask.full.any(axis=1), chunk.threads, wanted)
        if own is None:
            own = barriers_of(chunk).all[key] = _new(here, key, wanted)
        new = (own.pending == own.expected) & (wanted > 0)
        other = ~new & (wanted > 0) & (wanted != own.expected)
        if other.any():
            _report_count(here._replace(mask=mask), own, number, wanted, other)
        own.expected = np.where(new, wanted, own.expected)
        own.pending = np.where(new, wanted, own.pending)
        tokens = np.where(mask.full, own.phase[:, None], tokens)
        if vote is not None:
            own.votes = own.votes + NamedArrivals(own, mask).total(np.where(vote, 1, _AGAINST))
        warps = np.broadcast_to(mask.by_warp, (chunk.blocks, mask.by_warp.shape[1]))
        _count(NamedArrivals(own, mask), here, warps.sum(axis=1) * LANES)
    return tokens


def _report_count(
    here: ExecutionPoint, own: Arrivals, number: int, wanted: Ints, other: Bools
) -> None:
    """Report threads that wait for another number of threads than those of the same phase."""
    row = int(np.argmax(other))
    what = fact(
        "finding.named-count", number=number, threads=int(wanted[row]),
        expected=int(own.expected[row]), line=own.site.line,
    )  # fmt: skip
    here.report(
        "barrier-divergence", here.mask.full & other[:, None], what, topic="named count",
        **name_other(own.site),
    )  # fmt: skip


def _votes(here: ExecutionPoint, name: Value) -> NDArray[np.int64]:
    found = np.zeros((here.chunk.blocks, here.chunk.threads), dtype=np.int64)
    for number, _, mask in _each(here, name):
        own = barriers_of(here.chunk).all["named", number]
        found = np.where(mask.full, own.result[:, None], found)
    return found


def count_votes(here: ExecutionPoint, name: Value) -> Value:
    """Return how many threads voted for, in the last complete phase of a barrier."""
    return (_votes(here, name) & (_AGAINST - 1)).astype(np.uint32)


def any_voted(here: ExecutionPoint, name: Value) -> Value:
    """Return True where a thread voted for."""
    return _votes(here, name) & (_AGAINST - 1) != 0


def all_voted(here: ExecutionPoint, name: Value) -> Value:
    """Return True where no thread voted against."""
    return _votes(here, name) < _AGAINST


def has_named_ended(here: ExecutionPoint, name: Value, phase: Value) -> Value:
    """Test whether a phase of a barrier of some threads has ended, as `has_ended` does."""
    ended = np.zeros((here.chunk.blocks, here.chunk.threads), dtype=np.bool_)
    for number, _, mask in _each(here, name):
        own = barriers_of(here.chunk).all["named", number]
        ended |= (own.phase[:, None] > phase) & mask.full
        observe_phase(own, here._replace(mask=mask), ended)
    return ended


def arrive(
    here: ExecutionPoint, address: Value, count: Value, bytes_: Value | None = None
) -> Value:
    """Let threads arrive; return the phase in which each one did, int64.

    Args:
        address: of the barrier of each.
        count: for how many each one arrives.
        bytes_: that each one expects to be copied, before it arrives.
    """
    tokens = np.zeros((here.chunk.blocks, here.chunk.threads), dtype=np.int64)
    for named in _known(here, address):
        own, mask, *_ = named
        tokens = np.where(mask.full, own.phase[:, None], tokens)
        if bytes_ is not None:
            own.bytes = own.bytes + named.total(bytes_)
        _count(named, here, named.total(count))
    return tokens


def _count(named: NamedArrivals, here: ExecutionPoint, count: Ints) -> None:
    """Count arrivals of some threads at a barrier, by the block that it is in."""
    chunk, (own, mask, *_) = here.chunk, named
    own.released = np.maximum(own.released, named.merge(chunk.clock.release(mask)))
    own.pending = own.pending - count
    over: Bools = np.logical_and(own.pending < 0, count > 0)
    if over.any():
        row = int(np.argmax(over))
        what = fact(
            "finding.arrivals", expected=int(own.expected[row]), more=int(-own.pending[row]),
            barrier=_named(chunk, own.key),
        )  # fmt: skip
        lanes = mask.full & over[named.rows(chunk)][:, None]
        _report_in_kernel(here, "no-progress", lanes, what, topic="arrivals")
    chunk.launch.note_change()
    own.end_phases(chunk)


def arrive_and_drop(here: ExecutionPoint, address: Value, count: Value) -> Value:
    """Let threads arrive, and expect as many fewer from the next phase on; return the phases."""
    for named in _known(here, address):
        named.own.expected = named.own.expected - named.total(count)
    return arrive(here, address, count)


def expect_arrivals(here: ExecutionPoint, address: Value, count: Value) -> None:
    """Expect more arrivals in this phase."""
    for named in _known(here, address):
        named.own.pending = named.own.pending + named.total(count)


def expect_bytes(here: ExecutionPoint, address: Value, bytes_: Value, *, sign: int = 1) -> None:
    """Expect bytes to be copied in this phase; with the sign -1, that many have been."""
    for named in _known(here, address):
        named.own.bytes = named.own.bytes + sign * named.total(bytes_)
        here.chunk.launch.note_change()
        named.own.end_phases(here.chunk)


def report_copy(
    here: ExecutionPoint,
    address: Value,
    finish: Callable[[Mask], None],
    *,
    bytes_: Value | None = None,
    arrives: Value | None = None,
) -> None:
    """Have a copy take place when threads next look at the barrier that it reports to.

    Args:
        address: of the barrier of each.
        finish: writes what some of the threads copy.
        bytes_: how many each one copies, where the barrier counts them.
        arrives: for how many each one arrives with it.
    """
    chunk, none = here.chunk, np.zeros(here.chunk.blocks, dtype=np.int64)
    for named in _known(here, address):
        clock, own = snapshot_clock(chunk), named.own
        own.released = np.maximum(own.released, named.merge(chunk.clock.release(named.mask)))
        run = partial(finish_at, chunk, clock, partial(finish, named.mask))
        counted, arriving = (
            none if each is None else named.total(each) for each in (bytes_, arrives)
        )
        own.copies.append(UnderWay(counted, arriving, run))


def snapshot_clock(chunk: Chunk) -> WarpClock:
    """Copy the clock as it is now."""
    return copy(chunk.clock)


def finish_at(chunk: Chunk, clock: WarpClock, finish: Callable[[], None]) -> None:
    """Perform a copy at the time it began, so that it is unordered with later accesses."""
    now, chunk.clock = chunk.clock, clock
    finish()
    chunk.clock = now


def has_ended(here: ExecutionPoint, address: Value, phase: Value, *, parity: bool) -> Value:
    """Test whether a phase is complete, (blocks, threads); if so, acquire what it released.

    Args:
        address: of the barrier of each.
        phase: what `arrive` returned; or its parity.
    """
    ended = np.zeros((here.chunk.blocks, here.chunk.threads), dtype=np.bool_)
    for own, mask, *_ in _known(here, address):
        own.settle(here.chunk)
        now = own.phase[:, None]
        there = ((now ^ phase) & 1 != 0) if parity else (now > phase)
        ended |= np.broadcast_to(there, ended.shape) & mask.full
        observe_phase(own, here._replace(mask=mask), ended)
    return ended


def observe_phase(own: Arrivals, here: ExecutionPoint, ended: Bools) -> None:
    """Let the threads that found the phase complete acquire what was released to it."""
    yes, no = here.mask.split(ended)
    rests = {at: mask.subtract(here.mask.full) for at, mask in own.waits.items()}
    at = here.site, here.in_kernel.site
    rests[at] = unite(here.chunk.everyone, rests.get(at), no)
    own.waits = {at: mask for at, mask in rests.items() if mask is not None}
    if yes is not None:
        here.chunk.clock.acquire(yes, own.complete)


class StuckWait(NamedTuple):
    """A wait that can never succeed.

    Attributes:
        what: what the barrier is missing.
        mask, site: the waiting threads, and where they wait.
        caller: the line of the kernel that got them there.
    """

    what: Fact
    mask: Mask
    site: Site
    caller: Site


def explain_waits(chunk: Chunk) -> list[StuckWait]:
    """Explain why threads wait forever at barriers, for each place where any do.

    One that is missing only bytes goes first, then those with some arrivals: threads that wait at
    other barriers may depend on those. The barrier of a cluster comes last.
    """
    barriers: BlockBarriers | None = chunk.memory.get(BlockBarriers)
    of_cluster: ClusterBarrier | None = chunk.memory.get(ClusterBarrier)
    found = [
        explained
        for own in (() if barriers is None else barriers.all.values())
        for at, mask in own.waits.items()
        for explained in _explain_blocks(chunk, own, mask, at)
    ]
    if of_cluster is not None and of_cluster.waits is not None:
        mask, site = of_cluster.waits
        found.append((_LAST, StuckWait(of_cluster.describe_missing(chunk), mask, site, site)))
    return [stuck for _, stuck in sorted(found, key=lambda each: each[0])]


def _explain_blocks(
    chunk: Chunk, own: Arrivals, mask: Mask, at: tuple[Site, Site]
) -> Iterator[tuple[int, StuckWait]]:
    """Yield, for each block of which threads wait there, what its barrier misses, and a rank."""
    rows, there = np.arange(chunk.blocks)[:, None], mask.full & ~chunk.exited
    for row in np.flatnonzero(there.any(axis=1)).tolist():
        waiting = Mask(there & (rows == row), chunk.blocks, chunk.threads)
        thread = str(chunk.thread(int(np.argmax(waiting.full)))[1])
        rank, what = _describe_missing(own, row, thread, _named(chunk, own.key))
        yield rank, StuckWait(what, waiting, *at)


def _describe_missing(own: Arrivals, row: int, thread: str, barrier: Fact) -> tuple[int, Fact]:
    pending, missing = int(own.pending[row]), int(own.bytes[row])
    if pending <= 0 and missing > 0:
        return 0, fact("finding.no-progress.bytes", thread=thread, barrier=barrier, bytes=missing)
    if pending <= 0 and missing:
        return 0, fact(
            "finding.no-progress.bytes-over", thread=thread, barrier=barrier, bytes=-missing
        )
    ended, expected = int(own.phase[row]), int(own.expected[row])
    if pending < expected:
        return 1, fact(
            "finding.no-progress.arrivals",
            thread=thread, barrier=barrier, ended=ended, expected=expected, pending=pending,
        )  # fmt: skip
    return 2, fact(
        "finding.no-progress.phase", thread=thread, barrier=barrier, ended=ended, expected=expected
    )


class NamedArrivals(NamedTuple):
    """Barriers that threads name.

    Attributes:
        rank: of the blocks in the threads' clusters that they are in; -1: the threads' own.
        cluster: blocks of a cluster.
    """

    own: Arrivals
    mask: Mask
    rank: int = -1
    cluster: int = 1

    def rows(self, chunk: Chunk) -> Ints:
        """Return, for each block, the one that the barrier of its threads is in."""
        own = np.arange(chunk.blocks, dtype=np.int64)
        return own if self.rank < 0 else own - own % self.cluster + self.rank

    def total(self, values: Value) -> Ints:
        """Return the sums of the threads' values by the block that the barrier is in."""
        whole = np.broadcast_to(values, (self.mask.blocks, self.mask.threads)).astype(np.int64)
        return self._hand(np.where(self.mask.full, whole, 0).sum(axis=1), np.add)

    def merge(self, released: Ints) -> Ints:
        """Return what blocks release by the block that the barrier is in."""
        return self._hand(released, np.maximum)

    def _hand(self, by_block: Any, function: np.ufunc) -> Ints:
        if self.rank < 0:
            return np.asarray(by_block)
        clusters = by_block.reshape(-1, self.cluster, *by_block.shape[1:])
        found = np.zeros_like(clusters)
        found[:, self.rank] = function.reduce(clusters, axis=1)
        return np.asarray(found.reshape(by_block.shape))


def _known(here: ExecutionPoint, address: Value) -> Iterator[NamedArrivals]:
    """Yield the barriers that threads name, each with its threads."""
    for key, rank, mask in _each(here, address):
        if rank >= 0:
            note_access(here._replace(mask=mask), rank)
        known = barriers_of(here.chunk).all.get(key)
        named = None if known is None else NamedArrivals(known, mask, rank, here.chunk.cluster)
        there = mask.full.any(axis=1)
        if named is None or not (named.own.expected > 0)[named.rows(here.chunk)[there]].all():
            what = fact("finding.no-barrier", barrier=_named(here.chunk, key))
            _report_in_kernel(here, "uninitialised-read", mask.full, what, topic="barrier")
            continue
        _check_initialized(named, here)
        yield named


def _check_initialized(named: NamedArrivals, here: ExecutionPoint) -> None:
    """Report threads that use a barrier, and do not know that it is initialized."""
    chunk, (own, mask, *_) = here.chunk, named
    users = chunk.accessors(slice(0), mask, chunk.in_grid, chunk.blocks)
    rows = named.rows(chunk)[np.nonzero(mask.full)[0]]
    initializer = chunk.in_grid[rows, own.init_thread[rows]]
    scope = find_scope(initializer, users.thread, users.threads)
    known = (scope == 0) | find_before(own.init_time[rows], scope, users, slice(None), initializer)
    unknown = np.zeros_like(mask.full)
    unknown[mask.full] = ~known
    if unknown.any():
        what = fact("finding.barrier-early", barrier=_named(chunk, own.key), line=own.site.line)
        here.in_kernel.report("race", unknown, what, topic="barrier", **name_other(own.site))


def _report_in_kernel(
    here: ExecutionPoint, kind: Kind, lanes: Bools, what: Fact, **facts: Any
) -> None:
    """Report threads at the line of the kernel, beside the place in a function that it called."""
    seen, place = here.in_kernel, {}
    if seen.site is not here.site:
        place = name_other(here.site)
    seen.report(kind, lanes, what, **place, **facts)


def name_other(site: Site) -> dict[str, Any]:
    """Return what a finding says of the other place that takes part."""
    return {"other_line": site.line, "other_column": site.column, "other_file": site.file}


def _each(here: ExecutionPoint, address: Value) -> Iterator[tuple[int, int, Mask]]:
    """Yield each address, the rank of the block that it names, -1 for none, and its threads."""
    mask: Mask | None = here.mask
    addresses = np.broadcast_to(address, (here.chunk.blocks, here.chunk.threads))
    while mask is not None:
        first = addresses[mask.full][:1].astype(np.int64)
        own, mask = mask.split(addresses == first[0])
        assert own is not None  # the first thread is in it
        yield int(name_rank(first, NO_RANK)[0]), int(ranks_of(first)[0]), own


def _most(values: Value, mask: Mask) -> Ints:
    whole = np.broadcast_to(values, (mask.blocks, mask.threads)).astype(np.int64)
    return np.asarray(np.where(mask.full, whole, 0).max(axis=1))
