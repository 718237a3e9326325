"""Distributed shared memory: that of another block of the cluster, and how long it is there.

A block's shared memory is there from its start to its end. That it has started, a thread knows from
a barrier of the cluster or of another kind that orders it behind something that block did; that it
has not ended, from something that orders the access before the end of one of its threads.

Nsight Compute counts what crosses the network between the SMs in sectors of 32 bytes
(`l1tex__m_l1tex2xbar_write_sectors_mem_dshared`). The rules are those that 460 accesses on an H200
follow (`python -m bench.gpu.ptx.remote`), one request of a warp and one block that it reaches for
at a time.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from grader.banks import Kind as BankKind
from grader.facts import fact
from grader.simt.checks.counters import Site
from grader.simt.checks.elements import WatchedArray
from grader.simt.machine.chunk import Chunk, ExecutionPoint
from grader.simt.masks import LANES, Bools, Mask
from grader.simt.memory.shared_memory import Region, SharedBuffer
from grader.simt.memory.views import AtomicUpdate, Buffer, Ints, Vector

Places = NDArray[np.int64]
"""(warps, 32): the byte where each lane accesses shared memory."""
_HALF, _SECTOR, _LINE = 4, 5, 7
"""Bits of an address below those of 16, 32, and 128 bytes."""
_AT_ONCE = 512
_NOWHERE = np.iinfo(np.int64).min


def count_sectors(kind: str, places: Places, active: Bools) -> int:
    """Count the sectors that requests of warps send or get.

    Args:
        kind: `load`, `store`, or `atomic`.
        places: of the lanes, of which no access crosses a multiple of 16 bytes.
        active: (warps, 32).
    """
    count = {"load": _of_loads, "store": _of_stores, "atomic": _of_atomics}[kind]
    total = 0
    for first in range(0, len(places), _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        own = np.where(active[part], places[part], _NOWHERE)
        total += count(own)
    return total


def _first(places: Places, bits: int) -> tuple[Places, Bools]:
    """Return pieces of so many bits of all lanes, sorted, and which are the first of their kind."""
    pieces = np.sort(places >> bits, axis=1)
    there = np.ones(pieces.shape, np.bool_)
    there[:, 1:] = pieces[:, 1:] != pieces[:, :-1]
    return pieces, there & (pieces != _NOWHERE >> bits)


def _of_loads(places: Places) -> int:
    """Count each sector once, however many lanes read it."""
    return int(_first(places, _SECTOR)[1].sum())


def _of_stores(places: Places) -> int:
    """Count each sector; a line's only one twice if both its halves are written."""
    halves, first = _first(places, _HALF)
    sectors = halves >> _SECTOR - _HALF
    starts = first.copy()
    starts[:, 1:] &= sectors[:, 1:] != sectors[:, :-1]
    lines = halves >> _LINE - _HALF
    same = lines[:, :, None] == lines[:, None, :]
    in_line = [(same & flag[:, None, :]).sum(axis=2) for flag in (first, starts)]
    lonely = starts & (in_line[0] == 2) & (in_line[1] == 1)
    return int(starts.sum() + lonely.sum())


def _of_atomics(places: Places) -> int:
    """Count each sector there and back, as often as lanes meet at one of its elements."""
    sorted_, _ = _first(places, 0)
    sectors = sorted_ >> _SECTOR
    starts = np.ones(sectors.shape, np.bool_)
    starts[:, 1:] = sectors[:, 1:] != sectors[:, :-1]
    starts &= sorted_ != _NOWHERE
    meet = (sorted_[:, :, None] == sorted_[:, None, :]).sum(axis=2)
    there = sectors[:, :, None] == sectors[:, None, :]
    most = np.where(there, meet[:, None, :], 0).max(axis=2)
    return 2 * int(most[starts].sum())


class ClusterBuffer(SharedBuffer):
    """A region of the blocks of some rank, seen as elements of one dtype."""

    def __init__(self, watched: WatchedArray, region: Region, rank: int) -> None:
        super().__init__(watched, region)
        self._rank = rank

    def rows_of(self, chunk: Chunk) -> Ints:
        """See `SharedBuffer`: of the block of this rank in the cluster of each."""
        return rows_of_rank(chunk, self._rank)

    def view_as(self, watched: WatchedArray) -> SharedBuffer:
        """See `SharedBuffer`."""
        return ClusterBuffer(watched, self.region, self._rank)

    def load(self, index: Ints, here: ExecutionPoint) -> Vector:
        """See `Buffer`."""
        return super().load(self._reach(index, here), here)

    def store(self, index: Ints, value: Vector, here: ExecutionPoint) -> None:
        """See `Buffer`."""
        super().store(self._reach(index, here), value, here)

    def atomic(self, index: Ints, here: ExecutionPoint, update: AtomicUpdate) -> Vector:
        """See `Buffer`."""
        # Who waits for a flag's store stays until it is there.
        return super().atomic(self._reach(index, here, waits=update.reads), here, update)

    def report_in_flight(self, kind: str, index: Ints, here: ExecutionPoint) -> None:
        """See `SharedBuffer`: what another block copies is not these threads' own."""

    def _count(self, kind: str, bank_kind: BankKind, index: Ints, here: ExecutionPoint) -> None:
        """See `SharedBuffer`: what goes to another block goes over the network between SMs."""
        chunk, rank = here.chunk, np.arange(here.chunk.blocks)[:, None] % here.chunk.cluster
        near, far = here.mask.split(rank == self._rank)
        if near is not None:
            super()._count(kind, bank_kind, index, here._replace(mask=near))
        if far is None:
            return
        chunk.charge(far.count)
        if here.site.dropped:
            return
        shape = (chunk.blocks, chunk.threads)
        places = np.broadcast_to(index, shape).reshape(-1, LANES) * self.unit + self.region.base
        counts = here.site.counts
        counts[f"remote_{kind}_sectors"] += count_sectors(kind, places, far.full.reshape(-1, LANES))
        counts[f"remote_{kind}_requests"] += far.warps
        counts[f"remote_{kind}_lanes"] += far.count

    def _reach(self, index: Ints, here: ExecutionPoint, *, waits: bool = True) -> Ints:
        note_access(here, self._rank, waits=waits)
        return np.broadcast_to(index, (here.chunk.blocks, index.shape[1]))


def of_rank(buffer: Buffer, rank: int) -> Buffer:
    """Return the same array in the blocks of a rank."""
    assert isinstance(buffer, SharedBuffer)  # `mapa` gives a rank to no other pointers
    return ClusterBuffer(buffer.watched, buffer.region, rank)


def rows_of_rank(chunk: Chunk, rank: int) -> Ints:
    """Return the row of the block of a rank in the cluster of each block: (blocks, 1)."""
    row = np.arange(chunk.blocks, dtype=np.int64)[:, None]
    return row - row % chunk.cluster + rank


class _Accesses:
    """The last accesses of warps to the memory of other blocks.

    Attributes:
        when: (blocks, warps of a cluster): to a block by each warp: its time from 1; 0 for none.
        thread, count: a thread of the warp that did, and how often it had fenced.
        started: (blocks,) those in which a thread has passed a barrier of the cluster.
    """

    def __init__(self, chunk: Chunk) -> None:
        shape = (chunk.blocks, chunk.cluster * chunk.threads // LANES)
        self.when: Ints = np.zeros(shape, dtype=np.int64)
        self.site: Ints = np.zeros(shape, dtype=np.int64)
        self.thread: Ints = np.zeros(shape, dtype=np.int64)
        self.count: Ints = np.zeros(shape, dtype=np.int64)
        self.started: Bools = np.zeros(chunk.blocks, dtype=np.bool_)
        # Behind what else there is to do then: copies may still take place.
        chunk.at_end.append(partial(chunk.at_end.append, partial(self._report_late, chunk)))

    @staticmethod
    def of(chunk: Chunk) -> _Accesses:
        """Return those of a chunk."""
        return chunk.kept(_Accesses, lambda: _Accesses(chunk))

    def note(self, here: ExecutionPoint, rank: int) -> None:
        """Note accesses to the blocks of a rank."""
        chunk = here.chunk
        warps = chunk.threads // LANES
        block, warp = np.nonzero(np.broadcast_to(here.mask.by_warp, (chunk.blocks, warps)))
        clusters, ranks = block // chunk.cluster, block % chunk.cluster
        away = ranks != rank
        target = (clusters * chunk.cluster + rank)[away]
        column = (ranks * warps + warp)[away]
        now = np.broadcast_to(chunk.clock.now, (chunk.blocks, chunk.threads))
        when = now[block[away], warp[away] * LANES] + 1
        later = when >= self.when[target, column]
        lanes = here.mask.full.reshape(chunk.blocks, warps, LANES)[block, warp].argmax(axis=1)
        threads = chunk.in_grid.reshape(chunk.blocks, -1)[block, warp * LANES + lanes]
        threads = threads[away][later]
        target, column = target[later], column[later]
        self.when[target, column] = when[later]
        self.site[target, column] = here.site.number
        self.thread[target, column] = threads
        if chunk.launch.fences is not None:
            self.count[target, column] = chunk.launch.fences.count(threads)

    def _report_late(self, chunk: Chunk) -> None:
        """Report accesses that nothing orders before the end of the block whose memory it is."""
        vector, grid = chunk.clock.vector, chunk.clock.grid
        late = self.when > (grid if vector is None else np.maximum(vector.max(axis=1), grid))
        for row, column in zip(*np.nonzero(late), strict=True):
            late[row, column] = not self._is_seen(chunk, int(row), int(column))
        warps = chunk.threads // LANES
        for number in np.unique(self.site[late]).tolist():
            site = chunk.launch.sites[number]
            rows, columns = np.nonzero(late & (self.site == number))
            source = rows - rows % chunk.cluster + columns // warps
            lanes = np.zeros((chunk.blocks, chunk.threads), dtype=np.bool_)
            lanes[source, columns % warps * LANES] = True
            first = int(np.argmin(source))
            target = chunk.geometry.block_at(chunk.first_block + int(rows[first]))
            what = fact("finding.cluster-exit", block=str(target))
            ended = _end_of(chunk, int(rows[first]))
            here = ExecutionPoint(chunk, chunk.everyone, site)
            place = {} if ended is None else {
                "other_line": ended.line, "other_column": ended.column, "other_file": ended.file,
            }  # fmt: skip
            here.report("race", lanes, what, topic="cluster exit", **place)

    def _is_seen(self, chunk: Chunk, row: int, column: int) -> bool:
        """Test whether fences and atomics order an access before the end of a block's threads."""
        fences = chunk.launch.fences
        if fences is None:
            return False
        there = np.zeros((chunk.blocks, chunk.threads), dtype=np.bool_)
        there[row] = chunk.everyone.full[row]
        readers = chunk.moment(Mask(there, chunk.blocks, chunk.threads))
        writer, count, time = (
            np.full(readers.thread.size, values[row, column])
            for values in (self.thread, self.count, self.when - 1)
        )
        return bool(fences.test_visible(writer, count, time, readers).any())


def _end_of(chunk: Chunk, row: int) -> Site | None:
    """Return where a thread of a block returned last."""
    return next((site for mask, site in reversed(chunk.returned) if mask.full[row].any()), None)


def note_access(here: ExecutionPoint, rank: int, *, waits: bool = True) -> None:
    """Note, and check, that threads reach for the shared memory of the blocks of a rank.

    Args:
        rank: of the blocks.
        waits: True if those have to wait for it before they end.
    """
    chunk, known = here.chunk, _Accesses.of(here.chunk)
    if waits:
        known.note(here, rank)
    unknown = here.mask.full & ~(_has_started(chunk, rank) | known.started[:, None])
    if unknown.any():
        row = int(rows_of_rank(chunk, rank)[int(np.argmax(unknown.any(axis=1))), 0])
        target = chunk.geometry.block_at(chunk.first_block + row)
        what = fact("finding.cluster-start", block=str(target))
        here.report("race", unknown, what, topic="cluster start")


def note_start(here: ExecutionPoint) -> None:
    """Note that threads have passed a barrier of their cluster: its blocks have started."""
    _Accesses.of(here.chunk).started |= here.mask.full.any(axis=1)


def _has_started(chunk: Chunk, rank: int) -> Bools:
    """Test which threads know that the block of a rank in their cluster has started."""
    own = np.arange(chunk.blocks)[:, None] % chunk.cluster == rank
    vector = chunk.clock.vector
    if vector is None:
        return np.asarray(own | (chunk.clock.grid > 0))
    warps = chunk.threads // LANES
    theirs = vector[:, :, rank * warps : (rank + 1) * warps]
    return np.asarray(own | (theirs.max(axis=2) > 0))
