"""`cp.async.bulk` (PTX ISA 9.7.9.25.4): copies of many bytes by one thread, in the async proxy.

Into shared memory, a copy takes place when threads look at the `mbarrier` that it reports to; out
of it, when its groups are waited for. The lanes of the thread's warp copy 16 bytes each, in its
name. The hardware's copy engine counts none of it as requests of threads, and neither is it here.
A multicast writes to the same place in several blocks of the cluster, and reports there.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

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
from grader.simt.memory.reaching import Cells, uncounted
from grader.simt.memory.shared_memory import SharedBuffer
from grader.simt.program.nodes import Do, Operation
from grader.simt.program.types import INT32, Nothing, VectorType
from grader.simt.ptx import syntax
from grader.simt.ptx.instructions.mbarriers import address_of
from grader.simt.ptx.operands import Lowering, perform
from grader.simt.ptx.syntax import Address

_WIDE = VectorType(INT32, 4)
_BYTES = 16


class _Part(NamedTuple):
    """16 bytes for each lane of the warps of some threads, one thread of a warp at most."""

    mask: Mask
    offset: Value
    first: Mask


def bulk_copy(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `cp.async.bulk` of plain memory, and its groups."""
    program, modifiers, operands = lowering.program, instruction.modifiers, instruction.operands
    program.timed = program.stores_anywhere = True
    if "prefetch" in modifiers:
        return []
    if "commit_group" in modifiers:
        return [Do(perform(lowering, instruction, Nothing(), "bulk commit", _commit))]
    if "wait_group" in modifiers:
        wait = partial(_wait, int(str(operands[0]), 0))
        return [Do(perform(lowering, instruction, Nothing(), "bulk wait", wait))]
    spaces: tuple[str, ...] = tuple(each.partition("::")[0] for each in modifiers[2:4])
    to, source, size, *more = operands
    if not isinstance(to, Address) or not isinstance(source, Address):
        raise lowering.refuse(instruction)
    if "tensor" in modifiers or "cp_mask" in modifiers:
        raise lowering.refuse(instruction)
    pointers = [
        lowering.pointer(each, space, instruction)
        for each, space in zip((to, source), spaces, strict=True)
    ]
    count = lowering.read(size, "u32", instruction)
    if spaces[0] == "shared" and spaces[1] in ("shared", "global") and more:
        given = [*pointers, count, address_of(lowering, more[0], instruction)]
        run = partial(_load, of_threads=spaces[1] == "shared")
        if "multicast::cluster" in modifiers:
            given.append(lowering.read(more[1], "u16", instruction))
        return [Do(perform(lowering, instruction, Nothing(), "bulk", run, *given))]
    if spaces == ("global", "shared") and "bulk_group" in modifiers:
        return [Do(perform(lowering, instruction, Nothing(), "bulk", _store, *pointers, count))]
    raise lowering.refuse(instruction)


def _load(
    here: ExecutionPoint, to: Value, source: Value, count: Value, *others: Value, of_threads: bool
) -> None:
    """Begin copies into shared memory.

    Args:
        here: the threads that copy, and where.
        to: addresses.
        source: addresses.
        count: of bytes.
        others: the address of the barrier that they report to; and a bit for each block of the
            cluster that gets them, if that is not the one that `to` names.
        of_threads: True if threads wrote the source in shared memory.
    """
    for lane in _lanes(here, to, source, count):
        own = here._replace(mask=lane)
        if of_threads:
            for part in _parts(lane, count):
                _check_fenced(part, source, own)
        found = [(part, _read(part, source, own)) for part in _parts(lane, count)]
        for target, there, reports in spread(own, to, *others):

            def finish(mask: Mask, target: Value = target, found: Any = found) -> None:
                for part, value in found:
                    _write(part, target, value, here._replace(mask=mask))

            arrivals.report_copy(there, reports, finish, bytes_=count)


def spread(
    here: ExecutionPoint, to: Value, barrier: Value, blocks: Value | None = None
) -> Iterator[tuple[Value, ExecutionPoint, Value]]:
    """Yield where copies go, the threads that copy there, and the barrier that they report to.

    Args:
        here: the threads that copy, and where.
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


def _store(here: ExecutionPoint, to: Value, source: Value, count: Value) -> None:
    """Begin copies out of shared memory."""
    stores = _stores(here)
    for lane in _lanes(here, to, source, count):
        own = here._replace(mask=lane)
        for part in _parts(lane, count):
            _check_fenced(part, source, own)

        begun = arrivals.snapshot_clock(here.chunk)
        stores.begin(lane, partial(_finish_store, here, (to, source, count), begun))


def _finish_store(
    here: ExecutionPoint, given: tuple[Value, Value, Value], begun: Any, mask: Mask
) -> None:
    """Let copies of some threads take place, as of the time that they began."""
    to, source, count = given
    there = here._replace(mask=mask)

    def copy() -> None:
        for part in _parts(mask, count):
            _write(part, to, _read(part, source, there), there)

    arrivals.finish_at(here.chunk, begun, copy)


def _lanes(here: ExecutionPoint, to: Value, source: Value, count: Value) -> Iterator[Mask]:
    """Yield the threads, one of each warp at a time, whose sizes and addresses are right."""
    shape = (here.chunk.blocks, here.chunk.threads)
    wrong = np.broadcast_to((count | to | source) % _BYTES != 0, shape) & here.mask.full
    if wrong.any():
        at = int(np.argmax(wrong))
        sizes = np.broadcast_to(count, shape)
        what = fact("finding.bulk-misaligned", size=int(sizes.flat[at]), multiple=_BYTES)
        here.report("misaligned", wrong, what, topic="bulk")
    mask = here.mask.subtract(wrong)
    for lane in range(LANES):
        own, _ = (None, None) if mask is None else mask.split(here.chunk.lane == lane)
        if own is not None:
            yield own


def _parts(threads: Mask, count: Value) -> Iterator[_Part]:
    """Yield what the warps of some threads copy, 512 bytes each at a time."""
    lanes = np.repeat(threads.by_warp, LANES, axis=1)
    sizes = _of_thread(count, threads)
    place = (np.arange(threads.threads, dtype=np.int64)[None, :] % LANES) * _BYTES
    whole = Mask(lanes, threads.blocks, threads.threads)
    for begin in range(0, int(np.where(lanes, sizes, 0).max()), LANES * _BYTES):
        mask, _ = whole.split(place + begin < sizes)
        if mask is not None:
            yield _Part(mask, place + begin, threads)


def _of_thread(values: Value, threads: Mask) -> Value:
    """Give the lanes of each warp the value of the thread that copies: (blocks, threads)."""
    return spread_in_warps(np.broadcast_to(values, (threads.blocks, threads.threads)), threads)


def _cells(part: _Part, pointer: Value, here: ExecutionPoint) -> VectorCells | None:
    there = _of_thread(pointer, part.first) + part.offset
    cells = reach_target(_WIDE, there, (), uncounted(here._replace(mask=part.mask)))
    assert cells is None or isinstance(cells, VectorCells)
    return cells


def _read(part: _Part, pointer: Value, here: ExecutionPoint) -> Any:
    with here.chunk.acting_for(part.first):
        cells = _cells(part, pointer, here)
        return None if cells is None else tuple(each.load() for each in cells.members)


def _write(part: _Part, pointer: Value, value: Any, here: ExecutionPoint) -> None:
    mask, _ = part.mask.split(np.repeat(here.mask.by_warp, LANES, axis=1))
    if mask is None or value is None:
        return
    with here.chunk.acting_for(part.first):
        cells = _cells(part._replace(mask=mask), pointer, here)
        for member, each in zip(() if cells is None else cells.members, value, strict=False):
            member.store(each)


def _check_fenced(part: _Part, pointer: Value, here: ExecutionPoint) -> None:
    """Report what threads stored that no proxy fence lets the copy see."""
    fences = _fences(here.chunk)
    with here.chunk.acting_for(part.first):
        cells = _cells(part, pointer, here)
        for member in () if cells is None else cells.members:
            if isinstance(member, Cells) and isinstance(member.buffer, SharedBuffer):
                member.buffer.check_proxy(member.index, member.here, fences)


def fence_proxy(here: ExecutionPoint) -> None:
    """Make what these threads stored, or acquired, in shared memory visible to bulk copies."""
    clock = here.chunk.clock
    clock.warp_barrier(here.mask)  # what follows is later
    _fences(here.chunk).fence(here.mask, clock.now, clock.since, clock.vector)


def _fences(chunk: Chunk) -> ProxyFences:
    made = ProxyFences(chunk.blocks, chunk.threads)
    known: ProxyFences = chunk.memory.setdefault(ProxyFences, made)
    return known


def _stores(here: ExecutionPoint) -> CopyGroups:
    """Return the copies out of shared memory."""
    return CopyGroups.of(here.chunk, "bulk")


def _commit(here: ExecutionPoint) -> None:
    _stores(here).commit(here.mask)


def _wait(most: int, here: ExecutionPoint) -> None:
    _stores(here).wait(here.mask, most)
