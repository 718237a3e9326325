"""Clusters of blocks: their barrier, whose arrival and wait are apart, and the ranks of addresses.

A phase of the barrier ends when all threads of the cluster that have not exited have arrived. Those
that wait are then ordered after all that the arrivals released: what a thread did before it, or,
of one that is `relaxed`, what was done before a fence.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact, fact
from grader.simt.checks.counters import Site
from grader.simt.checks.shadow import Ints
from grader.simt.machine.chunk import Chunk, ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.masks import LANES, Bools, Mask
from grader.simt.memory.allocations import allocations_of, name_rank, ranks_of, starts_of
from grader.simt.memory.cluster_memory import note_start


class ClusterWait(NamedTuple):
    """Threads that wait at the barrier, and where."""

    mask: Mask
    site: Site


class ClusterBarrier:
    """The barriers of a chunk's clusters.

    Attributes:
        phase: (blocks,) how many have ended, alike in a cluster.
        arrived: (blocks, threads) in this phase.
        begun: (blocks, threads) the phase of an arrival whose wait has not ended; -1 without.
        released, complete: (blocks, warps of a cluster) the vector clock of all arrivals; of those
            up to the last phase that ended; alike in a cluster.
        fenced: (blocks, warps of a cluster) what threads of a block did before a fence.
        waits: threads that last found the phase not ended.
    """

    def __init__(self, chunk: Chunk) -> None:
        blocks, threads = chunk.blocks, chunk.threads
        self.phase: NDArray[np.int64] = np.zeros(blocks, dtype=np.int64)
        self.arrived: Bools = np.zeros((blocks, threads), dtype=np.bool_)
        self.begun: NDArray[np.int64] = np.full((blocks, threads), -1, dtype=np.int64)
        clock = np.zeros((blocks, chunk.cluster * threads // LANES), dtype=np.int32)
        self.released: Ints = clock
        self.complete: Ints = clock
        self.fenced: Ints = clock
        self.waits: ClusterWait | None = None

    @staticmethod
    def of(chunk: Chunk) -> ClusterBarrier:
        """Return those of a chunk."""
        return chunk.kept(ClusterBarrier, lambda: ClusterBarrier(chunk))

    def missing(self, chunk: Chunk) -> Bools:
        """Return the threads that phases wait for: (blocks, threads)."""
        return chunk.everyone.full & ~self.arrived & ~chunk.exited

    def end_phases(self, chunk: Chunk) -> None:
        """End the phases of clusters in which all have come."""
        some = self.arrived.any(axis=1).reshape(-1, chunk.cluster).any(axis=1)
        left = self.missing(chunk).any(axis=1).reshape(-1, chunk.cluster).any(axis=1)
        done = np.repeat(some & ~left, chunk.cluster)
        if not done.any():
            return
        chunk.launch.note_change()
        self.phase = self.phase + done
        self.arrived = self.arrived & ~done[:, None]
        self.complete = np.where(done[:, None], self.released, self.complete)

    def describe_missing(self, chunk: Chunk) -> Fact:
        """Say whom the threads wait for."""
        assert self.waits is not None  # else nobody asks
        row = int(np.argmax(self.waits.mask.full.any(axis=1)))
        there = np.arange(chunk.blocks) // chunk.cluster == row // chunk.cluster
        missing = self.missing(chunk) & there[:, None]
        block, thread = chunk.thread(int(np.argmax(missing)))
        return fact(
            "finding.no-progress.cluster",
            missing=int(missing.sum()), thread=str(thread), block=str(block),
        )  # fmt: skip


def arrive(here: ExecutionPoint, *, relaxed: bool) -> None:
    """Let threads arrive at the barrier of their cluster."""
    chunk, mask, site = here
    site.counts["barriers"] += mask.warps
    own = ClusterBarrier.of(chunk)
    twice = mask.full & (own.begun >= 0)
    if twice.any():
        here.report("barrier-divergence", twice, fact("finding.cluster-twice"), topic="cluster")
    released = np.where(mask.full.any(axis=1, keepdims=True), own.fenced, 0)
    if not relaxed:
        released = chunk.clock.release(mask)
    together = released.reshape(-1, chunk.cluster, released.shape[1]).max(axis=1)
    own.released = np.maximum(own.released, np.repeat(together, chunk.cluster, axis=0))
    own.arrived = own.arrived | mask.full
    own.begun = np.where(mask.full, own.phase[:, None], own.begun)
    chunk.launch.note_change()
    own.end_phases(chunk)


def has_ended(here: ExecutionPoint) -> Value:
    """Test whether the phase in which each thread arrived has ended; if so, acquire it."""
    chunk, mask, _ = here
    own = ClusterBarrier.of(chunk)
    own.end_phases(chunk)
    never = mask.full & (own.begun < 0)
    if never.any():
        here.report("barrier-divergence", never, fact("finding.cluster-never"), topic="cluster")
    ended: Bools = mask.full & (own.phase[:, None] > own.begun)
    yes, no = mask.split(ended)
    own.waits = None if no is None else ClusterWait(no, here.site)
    if yes is not None:
        own.begun = np.where(yes.full, -1, own.begun)
        note_start(here._replace(mask=yes))
        chunk.clock.acquire(yes, own.complete)
    return ended


def fence(here: ExecutionPoint) -> None:
    """Have the block's next arrivals release what these threads did, even if they are relaxed."""
    own = ClusterBarrier.of(here.chunk)
    own.fenced = np.maximum(own.fenced, here.chunk.clock.release(here.mask))


def map_to_rank(here: ExecutionPoint, pointer: Value, rank: Value) -> Value:
    """Return the addresses of the same places in blocks of some ranks (`mapa`)."""
    chunk = here.chunk
    shape = (chunk.blocks, chunk.threads)
    outside = here.mask.full & np.broadcast_to((rank < 0) | (rank >= chunk.cluster), shape)
    if outside.any():
        given = int(np.broadcast_to(rank, shape)[outside][0])
        what = fact("finding.no-rank", rank=given, blocks=chunk.cluster)
        here.report("out-of-bounds", outside, what, topic="rank")
    if chunk.cluster == 1:
        return pointer
    table = allocations_of(chunk.launch)
    starts = starts_of(pointer)
    shared = np.zeros(starts.shape, dtype=np.bool_)
    for start in np.unique(starts).tolist():
        allocation = table.at(start)
        if allocation is not None and allocation.space == "shared":
            shared |= starts == start
    wanted = np.asarray(np.where(outside, own_rank(chunk), rank), dtype=np.int64)
    return np.where(shared, name_rank(pointer, wanted), pointer)


def find_rank(here: ExecutionPoint, pointer: Value) -> Value:
    """Return the ranks of the blocks whose shared memory addresses lead to (`getctarank`)."""
    ranks = ranks_of(pointer)
    own: Value = own_rank(here.chunk)
    return np.asarray(np.where(ranks < 0, own, ranks), dtype=np.int32)


def place_in_cluster(axis: int, chunk: Chunk) -> Value:
    """Return the place of each block in its cluster along an axis."""
    return chunk.block_index[axis] % np.int32(chunk.geometry.cluster[axis])


def cluster_index(axis: int, chunk: Chunk) -> Value:
    """Return the place of each block's cluster along an axis."""
    return chunk.block_index[axis] // np.int32(chunk.geometry.cluster[axis])


def own_rank(chunk: Chunk) -> Value:
    """Return the rank of each block in its cluster."""
    width, height, _ = chunk.geometry.cluster
    x, y, z = (place_in_cluster(axis, chunk) for axis in range(3))
    return x + np.int32(width) * (y + np.int32(height) * z)
