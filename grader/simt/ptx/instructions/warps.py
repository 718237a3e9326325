"""Instructions in which threads meet or exchange values: barriers, fences, `shfl`, `vote`, `match`.

PTX ISA 9.7.13. For barriers of some of a block's threads, and waits for a cluster, see `mbarriers`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.checks.fences import BLOCK, Fence
from grader.simt.intrinsics import barriers, clusters, failing, participants, warp
from grader.simt.intrinsics.functions import bits
from grader.simt.intrinsics.participants import by_lane, restore_shape
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.masks import LANES
from grader.simt.program.nodes import Apply, Do, Expression, Observe, Operation
from grader.simt.program.types import BOOL, INT32, INT64, UINT32, Nothing
from grader.simt.ptx import syntax
from grader.simt.ptx.instructions.engine import fence_proxy
from grader.simt.ptx.instructions.memory import scope_of
from grader.simt.ptx.operands import Lowering, perform
from grader.simt.ptx.values import DTYPES, Vector, to_int64

_LANE = np.arange(LANES, dtype=np.int64)
_SOURCES: dict[str, warp.Source] = {
    "idx": warp.from_lane, "up": warp.from_below, "down": warp.from_above,
    "bfly": warp.from_partner,
}  # fmt: skip
_VOTES: dict[str, warp.Decide] = {
    "all": warp.all_hold, "any": warp.any_holds, "uni": warp.all_agree, "ballot": warp.ballot,
}  # fmt: skip
_REDUCTIONS: dict[str, np.ufunc] = {
    "add": np.add, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and,
    "or": np.bitwise_or, "xor": np.bitwise_xor,
}  # fmt: skip


def _members(lowering: Lowering, instruction: syntax.Instruction, place: int) -> Expression:
    mask = lowering.read(instruction.operands[place], "u32", instruction)
    return Apply(INT64, "members", to_int64, (mask,))


def barrier(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `bar` and `barrier` of a block's threads, `bar.warp.sync`, and a cluster's arrivals."""
    modifiers = [each for each in instruction.modifiers if each not in ("cta", "aligned")]
    operands = instruction.operands
    lowering.program.timed = True
    if modifiers == ["warp", "sync"]:
        run = partial(participants.meet_warps, name=instruction.name)
        members = _members(lowering, instruction, 0)
        return [Do(perform(lowering, instruction, Nothing(), "syncwarp", run, members))]
    if modifiers[:2] == ["cluster", "arrive"]:
        arrive = partial(clusters.arrive, relaxed="relaxed" in modifiers)
        return [Do(perform(lowering, instruction, Nothing(), "cluster arrive", arrive))]
    if modifiers == ["sync"] and len(operands) == 1:
        return [Do(perform(lowering, instruction, Nothing(), "syncthreads", barriers.meet))]
    if modifiers[:1] == ["red"] and len(operands) == 3:
        reduce, dtype = {
            "popc": (barriers.count_true, INT32), "and": (barriers.all_true, BOOL),
            "or": (barriers.any_true, BOOL),
        }[modifiers[1]]  # fmt: skip
        test = lowering.read(operands[2], "pred", instruction)
        run_reduce = partial(barriers.meet_and_reduce, reduce=reduce)
        found = perform(lowering, instruction, INT32, "syncthreads_count", run_reduce, test)
        if dtype == BOOL:
            found = Apply(BOOL, "test", _not_zero, (found,))
        return [lowering.write(str(operands[0]), found, instruction)]
    raise lowering.refuse(instruction)


def _not_zero(value: Vector) -> Any:
    return value != 0


def fence(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `membar` and `fence`; of those between kinds of access, the one for the copy engine."""
    modifiers = instruction.modifiers
    if "proxy" in modifiers and "async" in modifiers:
        lowering.program.timed = True
        return [Do(perform(lowering, instruction, Nothing(), "threadfence proxy", fence_proxy))]
    if "alias" in modifiers:  # of two addresses of the same memory, which nothing here has
        return []
    if "proxy" in modifiers:
        raise lowering.refuse(instruction)
    scope = scope_of(instruction)
    found = list[Operation]()
    if lowering.meets_cluster and scope > BLOCK:
        found = [Do(perform(lowering, instruction, Nothing(), "threadfence", clusters.fence))]
    if "mbarrier_init" in modifiers:
        return found
    does = Fence(scope, "acquire" not in modifiers, "release" not in modifiers)
    run = barriers.make_fence(lowering.program, does)
    return [*found, Do(perform(lowering, instruction, Nothing(), "threadfence", run))]


def _widths(clamp: Vector) -> Any:
    """Return the lanes of a segment: `shfl` has its mask in bits 8 to 12."""
    return LANES - (clamp.astype(np.int64) >> 8 & (LANES - 1))


def shuffle(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `shfl.sync`."""
    modifiers, operands = instruction.modifiers, instruction.operands
    if modifiers[:1] != ("sync",) or modifiers[1] not in _SOURCES or len(operands) != 5:
        raise lowering.refuse(instruction)
    lowering.program.shuffles = True
    source, name = _SOURCES[modifiers[1]], ".".join(("shfl", *modifiers[:2]))
    run = partial(warp.shuffle, source=source, name=name)
    by = Apply(INT64, "lane", to_int64, (lowering.read(operands[2], "s32", instruction),))
    clamp = lowering.read(operands[3], "u32", instruction)
    width = Apply(INT64, "width", _widths, (clamp,))
    value = lowering.read(operands[1], "s32", instruction)
    members = _members(lowering, instruction, 4)
    register, _, holds = str(operands[0]).partition("|")
    found = perform(lowering, instruction, INT32, "shfl", run, members, value, by, width)
    moved = lowering.write(register, found, instruction)
    if not holds:
        return [moved]
    there = perform(lowering, instruction, BOOL, "shfl", partial(_find_there, source), by, width)
    return [lowering.write(holds, there, instruction), moved]


def _find_there(source: warp.Source, here: ExecutionPoint, by: Value, width: Value) -> Value:
    """Return whether the lane that a shuffle reads from is in the segment."""
    chunk = here.chunk
    widths = by_lane(width, chunk)
    first = _LANE & -widths
    _, there = source(_LANE, by_lane(by, chunk), first, first + widths - 1)
    shape = (chunk.blocks * chunk.threads // LANES, LANES)
    return restore_shape(np.broadcast_to(there, shape), chunk)


def vote(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `vote.sync`."""
    modifiers, operands = instruction.modifiers, instruction.operands
    if modifiers[:1] != ("sync",) or modifiers[1] not in _VOTES or len(operands) != 3:
        raise lowering.refuse(instruction)
    decide = _VOTES[modifiers[1]]
    run = partial(warp.vote, decide=decide, name=".".join(("vote", *modifiers[:2])))
    kind = INT32 if modifiers[1] == "ballot" else BOOL
    holds = Observe(BOOL, lowering.read(operands[1], "pred", instruction))
    members = _members(lowering, instruction, 2)
    found = perform(lowering, instruction, kind, "vote", run, members, holds)
    return [lowering.write(str(operands[0]), found, instruction)]


def match(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `match.any.sync` and `match.all.sync`."""
    modifiers, operands = instruction.modifiers, instruction.operands
    kind = modifiers[-1]
    if kind not in ("b32", "b64") or len(operands) != 3 or modifiers[0] not in ("any", "all"):
        raise lowering.refuse(instruction)
    value = lowering.read(operands[1], kind, instruction)
    members = _members(lowering, instruction, 2)
    register, _, holds = str(operands[0]).partition("|")
    if modifiers[0] == "any":
        run = partial(warp.match_any, name="match.any.sync")
        found = perform(lowering, instruction, INT32, "match", run, members, value)
        return [lowering.write(register, found, instruction)]
    run_all = partial(_match_all, warp.match_all, name="match.all.sync")
    found = perform(lowering, instruction, INT32, "match", run_all, members, value)
    moved = [lowering.write(register, found, instruction)]
    if holds:
        kept = found if register == "_" else lowering.read(register, "b32", instruction)
        test = lowering.write(holds, Apply(BOOL, "test", _not_zero, (kept,)), instruction)
        moved = [test] if register == "_" else [*moved, test]
    return moved


def _match_all(
    function: Callable[..., Any], here: ExecutionPoint, *given: Value, name: str
) -> Value:
    return function(here, *given, name=name)[0]


def reduce(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `redux.sync` of integers."""
    modifiers, operands = instruction.modifiers, instruction.operands
    kind = modifiers[-1]
    if modifiers[0] != "sync" or modifiers[1] not in _REDUCTIONS or kind == "f32":
        raise lowering.refuse(instruction)
    run = partial(warp.reduce, function=_REDUCTIONS[modifiers[1]], name="redux.sync")
    value = lowering.read(operands[1], kind, instruction)
    members = _members(lowering, instruction, 2)
    found = perform(lowering, instruction, DTYPES[kind], "redux", run, members, value)
    return [lowering.write(str(operands[0]), found, instruction)]


def active_mask(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `activemask`."""
    found = perform(lowering, instruction, UINT32, "activemask", warp.active_mask)
    return [lowering.write(str(instruction.operands[0]), found, instruction)]


def elect(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `elect.sync`: the first member of each mask is chosen."""
    register, _, holds = str(instruction.operands[0]).partition("|")
    members = _members(lowering, instruction, 1)
    if not holds:
        raise lowering.refuse(instruction)
    found = perform(lowering, instruction, BOOL, "vote", _is_first, members)
    written = [lowering.write(holds, found, instruction)]
    if register not in ("_", ""):
        run = partial(warp.first_member, name="elect.sync")
        first = perform(lowering, instruction, INT32, "vote", run, members)
        written.insert(0, lowering.write(register, first, instruction))
    return written


def _is_first(here: ExecutionPoint, members: Value) -> Value:
    first = by_lane(warp.first_member(here, members, name="elect.sync"), here.chunk)
    return restore_shape(first == _LANE, here.chunk)


def sleep(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `nanosleep`."""
    time = lowering.read(instruction.operands[0], "u32", instruction)
    return [Do(perform(lowering, instruction, Nothing(), "nanosleep", bits.sleep, time))]


def trap(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `trap`, which ends the launch."""
    run = partial(failing.fail, "", "trap", fact("launch.trapped"))
    return [Do(perform(lowering, instruction, Nothing(), "trap", run))]
