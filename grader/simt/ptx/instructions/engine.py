"""What the copy engine does in the async proxy: reads and writes memory in the name of one thread.

The lanes of the thread's warp access it, each a piece of up to 16 bytes. The hardware's copy engine
counts none of it as requests of threads, and neither is it here. It takes place when threads look
at the `mbarrier` that a copy reports to; out of shared memory, when its groups are waited for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from grader.facts import fact
from grader.simt.checks.proxies import ProxyFences
from grader.simt.intrinsics import arrivals
from grader.simt.intrinsics.copies import CopyGroups
from grader.simt.machine.chunk import Chunk, ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.masks import LANES, Mask, spread_in_warps
from grader.simt.memory.allocations import NO_RANK, name_rank
from grader.simt.memory.pointers import VectorCells, reach_target
from grader.simt.memory.reaching import Cells, Reached, ScatteredCells, uncounted
from grader.simt.memory.shared_memory import SharedBuffer
from grader.simt.program.types import INT32, Scalar, VectorType
from grader.simt.ptx.instructions.reductions import Reduction

Put = Callable[["LanePieces", Value, tuple[Value, ...], ExecutionPoint], None]
"""What puts pieces where they go: `write`, or `reduce` with what it does."""
WIDE = VectorType(INT32, 4)
BYTES = 16


class LanePieces(NamedTuple):
    """A piece for each lane of the warps of some threads, one thread of a warp at most.

    Attributes:
        kind: what a piece is read and written as.
    """

    mask: Mask
    first: Mask
    kind: VectorType | Scalar = WIDE


def each_lane(mask: Mask | None, chunk: Chunk) -> Iterator[Mask]:
    """Yield the threads of a mask, one of each warp at a time."""
    for lane in range(LANES):
        own, _ = (None, None) if mask is None else mask.split(chunk.lane == lane)
        if own is not None:
            yield own


def all_lanes(threads: Mask) -> Mask:
    """Return all lanes of the warps of some threads."""
    lanes = np.repeat(threads.by_warp, LANES, axis=1)
    return Mask(lanes, threads.blocks, threads.threads)


def of_thread(values: Value, threads: Mask) -> Value:
    """Give the lanes of each warp the value of the thread that copies: (blocks, threads)."""
    return spread_in_warps(np.broadcast_to(values, (threads.blocks, threads.threads)), threads)


def find_aligned(
    here: ExecutionPoint, addresses: Value, size: Value, multiple: int = BYTES
) -> Mask | None:
    """Return the threads whose addresses are multiples of some bytes; report the others.

    Args:
        addresses: of each; several are combined by `|`.
        size: of the copies.
        multiple: a power of two.
    """
    shape = (here.chunk.blocks, here.chunk.threads)
    wrong = np.broadcast_to(addresses % multiple != 0, shape) & here.mask.full
    if wrong.any():
        sizes = np.broadcast_to(size, shape)
        given = int(sizes.flat[int(np.argmax(wrong))])
        what = fact("finding.bulk-misaligned", size=given, multiple=multiple)
        here.report("misaligned", wrong, what, topic="bulk")
    return here.mask.subtract(wrong)


def _members(part: LanePieces, address: Value, here: ExecutionPoint) -> tuple[Reached, ...]:
    cells = reach_target(part.kind, address, (), uncounted(here._replace(mask=part.mask)))
    if isinstance(cells, VectorCells):
        return cells.members
    return (cells,) if isinstance(cells, Cells | ScatteredCells) else ()


def read(part: LanePieces, address: Value, here: ExecutionPoint) -> tuple[Value, ...]:
    """Read pieces; nothing where no address is right."""
    with here.chunk.acting_for(part.first):
        return tuple(each.load() for each in _members(part, address, here))


def write(part: LanePieces, address: Value, value: tuple[Value, ...], here: ExecutionPoint) -> None:
    """Write pieces for those of the threads that are here."""
    mask, _ = part.mask.split(np.repeat(here.mask.by_warp, LANES, axis=1))
    if mask is None or not value:
        return
    _fences(here.chunk).copies.add(here.site.number)
    with here.chunk.acting_for(part.first):
        members = _members(part._replace(mask=mask), address, here)
        for member, each in zip(members, value, strict=False):
            member.store(each)


def reduce(
    change: Reduction,
    part: LanePieces,
    address: Value,
    value: tuple[Value, ...],
    here: ExecutionPoint,
) -> None:
    """Change what is there by pieces, an element after the other, for those threads."""
    mask, _ = part.mask.split(np.repeat(here.mask.by_warp, LANES, axis=1))
    if mask is None or not value:
        return
    shape, size = (mask.blocks, mask.threads), change.dtype.itemsize
    words = np.stack([np.broadcast_to(each, shape) for each in value], axis=-1)
    elements = np.ascontiguousarray(words).view(change.dtype)
    with here.chunk.acting_for(part.first):
        there = uncounted(here._replace(mask=mask))
        for at in range(elements.shape[-1]):
            cells = reach_target(change.dtype, address + at * size, (), there)
            if isinstance(cells, Cells | ScatteredCells):
                cells.atomic(change.update(np.ascontiguousarray(elements[..., at])))


def check_fenced(
    part: LanePieces, address: Value, here: ExecutionPoint, *, multiplies: bool = False
) -> None:
    """Report what threads stored that no proxy fence lets the copy, or the product, see."""
    fences = _fences(here.chunk)
    with here.chunk.acting_for(part.first):
        for member in _members(part, address, here):
            if isinstance(member, Cells) and isinstance(member.buffer, SharedBuffer):
                member.buffer.check_proxy(member.index, member.here, fences, multiplies=multiplies)


def spread(
    here: ExecutionPoint, to: Value, barrier: Value, blocks: Value | None = None
) -> Iterator[tuple[Value, ExecutionPoint, Value]]:
    """Yield where copies go, the threads that copy there, and the barrier that they report to.

    Args:
        to: addresses in shared memory.
        barrier: the addresses of barriers.
        blocks: a bit for each block of the cluster that gets the same; None: that of the addresses.
    """
    if blocks is None:
        yield to, here, barrier
        return
    chunk = here.chunk
    bits = np.broadcast_to(blocks.astype(np.int64), (chunk.blocks, chunk.threads))
    beyond = here.mask.full & (bits >> chunk.cluster != 0)
    if beyond.any():
        rank = int(bits[beyond][0]).bit_length() - 1
        what = fact("finding.no-rank", rank=rank, blocks=chunk.cluster)
        here.report("out-of-bounds", beyond, what, topic="rank")
    for rank in range(chunk.cluster):
        mask, _ = here.mask.split(bits >> rank & 1 != 0)
        if mask is not None:
            ranks = np.int64(rank) if chunk.cluster > 1 else NO_RANK
            yield name_rank(to, ranks), here._replace(mask=mask), name_rank(barrier, ranks)


def begin_store(here: ExecutionPoint, copy: Callable[[Mask], None]) -> None:
    """Have a copy out of shared memory take place when its group is waited for.

    Args:
        here: the threads, one of each warp at most.
        copy: copies for some of them.
    """
    begun = arrivals.snapshot_clock(here.chunk)

    def finish(mask: Mask) -> None:
        arrivals.finish_at(here.chunk, begun, partial(copy, mask))

    _stores(here).begin(here, finish)


def _stores(here: ExecutionPoint) -> CopyGroups:
    """Return the copies out of shared memory."""
    return CopyGroups.of(here.chunk, "bulk")


def commit(here: ExecutionPoint) -> None:
    """Make a group of the copies out of shared memory that these threads began."""
    _stores(here).commit(here.mask)


def wait(most: int, here: ExecutionPoint) -> None:
    """Finish all groups of these threads but the newest ones."""
    _stores(here).wait(here, most)


def fence_proxy(here: ExecutionPoint) -> None:
    """Make what these threads stored, or acquired, in shared memory visible to bulk copies."""
    clock = here.chunk.clock
    clock.warp_barrier(here.mask)  # what follows is later
    _fences(here.chunk).fence(here.mask, clock.now, clock.since, clock.vector)


def _fences(chunk: Chunk) -> ProxyFences:
    made = ProxyFences(chunk.blocks, chunk.threads)
    known: ProxyFences = chunk.memory.setdefault(ProxyFences, made)
    return known
