"""`cp.async` and its groups (PTX ISA 9.7.9.25), and `cp.async.bulk` (9.7.9.25.4).

The latter copies many bytes by one thread, in the async proxy. A multicast writes to the same place
in several blocks of the cluster, and reports there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from grader.simt.intrinsics import arrivals, copies
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.masks import LANES, Mask
from grader.simt.program.nodes import Do, Expression, Operation
from grader.simt.program.types import Nothing
from grader.simt.ptx import syntax
from grader.simt.ptx.instructions import engine
from grader.simt.ptx.instructions.engine import BYTES, LanePieces, Put
from grader.simt.ptx.instructions.mbarriers import address_of
from grader.simt.ptx.instructions.reductions import OPERATIONS, find_reduction
from grader.simt.ptx.instructions.tensors import tensor_copy
from grader.simt.ptx.operands import Lowering, perform
from grader.simt.ptx.syntax import Address


def bulk_copy(
    lowering: Lowering, instruction: syntax.Instruction, modifiers: Sequence[str], does: str
) -> list[Operation]:
    """Lower `cp.async.bulk` and `cp.reduce.async.bulk` of plain memory, and groups.

    Args:
        modifiers: without `reduce`.
        does: what it does where it goes; "" if it copies.
    """
    program, operands = lowering.program, instruction.operands
    program.timed = program.stores_anywhere = True
    if "prefetch" in modifiers:
        return []
    if "commit_group" in modifiers:
        return [Do(perform(lowering, instruction, Nothing(), "bulk commit", engine.commit))]
    if "wait_group" in modifiers:
        wait = partial(engine.wait, int(str(operands[0]), 0))
        return [Do(perform(lowering, instruction, Nothing(), "bulk wait", wait))]
    spaces: tuple[str, ...] = tuple(each.partition("::")[0] for each in modifiers[2:4])
    to, source, size, *more = operands
    if not isinstance(to, Address) or not isinstance(source, Address) or "cp_mask" in modifiers:
        raise lowering.refuse(instruction)
    pointers = [
        lowering.pointer(each, space, instruction)
        for each, space in zip((to, source), spaces, strict=True)
    ]
    count = lowering.read(size, "u32", instruction)
    change = find_reduction(does, modifiers[-1])
    if does and (change is None or (spaces[0] == "shared" and spaces[1] != "shared")):
        raise lowering.refuse(instruction)
    put = engine.write if change is None else partial(engine.reduce, change)
    if spaces[0] == "shared" and spaces[1] in ("shared", "global") and more:
        given = [*pointers, count, address_of(lowering, more[0], instruction)]
        run = partial(_load, put, of_threads=spaces[1] == "shared")
        if "multicast::cluster" in modifiers:
            given.append(lowering.read(more[1], "u16", instruction))
        return [Do(perform(lowering, instruction, Nothing(), "bulk", run, *given))]
    if spaces == ("global", "shared") and "bulk_group" in modifiers:
        run = partial(_store, put)
        return [Do(perform(lowering, instruction, Nothing(), "bulk", run, *pointers, count))]
    raise lowering.refuse(instruction)


def _load(
    put: Put, here: ExecutionPoint, to: Value, source: Value, count: Value, *others: Value,
    of_threads: bool,
) -> None:  # fmt: skip
    """Begin copies into shared memory.

    Args:
        put: what becomes of pieces where they go.
        count: of bytes.
        others: the address of the barrier that they report to; and a bit for each block of the
            cluster that gets them, if that is not the one that `to` names.
        of_threads: True if threads wrote the source in shared memory.
    """
    mask = engine.find_aligned(here, count | to | source, count)
    for lane in engine.each_lane(mask, here.chunk):
        own, parts = here._replace(mask=lane), [*_parts(lane, count)]
        for part, offset in parts if of_threads else ():
            engine.check_fenced(part, engine.of_thread(source, lane) + offset, own)
        there = engine.of_thread(source, lane)
        found = [(part, offset, engine.read(part, there + offset, own)) for part, offset in parts]
        for target, at, reports in engine.spread(own, to, *others):

            def finish(mask: Mask, target: Value = target, found: Any = found) -> None:
                for part, offset, value in found:
                    address = engine.of_thread(target, part.first) + offset
                    put(part, address, value, here._replace(mask=mask))

            arrivals.report_copy(at, reports, finish, bytes_=count)


def _store(put: Put, here: ExecutionPoint, to: Value, source: Value, count: Value) -> None:
    """Begin copies out of shared memory."""

    def finish(mask: Mask) -> None:
        there = here._replace(mask=mask)
        for part, offset in _parts(mask, count):
            value = engine.read(part, engine.of_thread(source, mask) + offset, there)
            put(part, engine.of_thread(to, mask) + offset, value, there)

    mask = engine.find_aligned(here, count | to | source, count)
    for lane in engine.each_lane(mask, here.chunk):
        own = here._replace(mask=lane)
        for part, offset in _parts(lane, count):
            engine.check_fenced(part, engine.of_thread(source, lane) + offset, own)
        engine.begin_store(own, finish)


def _parts(threads: Mask, count: Value) -> Iterator[tuple[LanePieces, Value]]:
    """Yield what the warps of some threads copy, 512 bytes each at a time, and how far in it."""
    whole = engine.all_lanes(threads)
    sizes = engine.of_thread(count, threads)
    place = (np.arange(threads.threads, dtype=np.int64)[None, :] % LANES) * BYTES
    for begin in range(0, int(np.where(whole.full, sizes, 0).max()), LANES * BYTES):
        mask, _ = whole.split(place + begin < sizes)
        if mask is not None:
            yield LanePieces(mask, threads), place + begin


def _copy_many(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `cp.async.bulk` and `cp.reduce.async.bulk`, a copy but for what is at its end."""
    modifiers = instruction.modifiers
    does = next((each for each in modifiers if each in OPERATIONS), "")
    if bool(does) != (modifiers[0] == "reduce"):
        raise lowering.refuse(instruction)
    copy = tensor_copy if "tensor" in modifiers else bulk_copy
    return copy(lowering, instruction, modifiers[1:] if does else modifiers, does)


def copy_async(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `cp.async` of 4, 8 or 16 bytes, `commit_group`, `wait_group` and `wait_all`."""
    modifiers, operands = instruction.modifiers, instruction.operands

    def do(name: str, run: Callable[..., None], *given: Expression) -> list[Operation]:
        return [Do(perform(lowering, instruction, Nothing(), name, run, *given))]

    if "bulk" in modifiers[:3]:
        return _copy_many(lowering, instruction)
    match modifiers[:2]:
        case ("async", "mbarrier"):
            lowering.program.timed = True
            run = partial(copies.arrive, counted="noinc" in modifiers)
            return do("copy arrive", run, address_of(lowering, operands[0], instruction))
        case ("async", "commit_group"):
            return do("copy commit", copies.commit)
        case ("async", "wait_all"):
            return do("copy wait", copies.wait_all)
        case ("async", "wait_group"):
            return do("copy wait", partial(copies.wait, int(str(operands[0]), 0)))
        case ("async", "ca" | "cg"):
            pass
        case _:
            raise lowering.refuse(instruction)
    to, source, size, *more = operands
    if not isinstance(to, Address) or not isinstance(source, Address):
        raise lowering.refuse(instruction)
    if not isinstance(size, str) or not size[:1].isdecimal() or int(size, 0) not in copies.SIZES:
        raise lowering.refuse(instruction)
    kind = copies.kind_of(int(size, 0))
    hints = any("cache_hint" in each for each in modifiers)
    given = [lowering.read(each, "u32", instruction) for each in more[: 1 - hints]]
    lowering.program.stores_anywhere = True
    pointers = (
        lowering.pointer(to, "shared", instruction),
        lowering.pointer(source, "global", instruction),
    )
    return do("copy", partial(copies.begin, kind), *pointers, *given)
