"""`mbarrier` (PTX ISA 9.7.13.15), barriers of some of a block's threads (9.7.13.1), of clusters.

A named barrier becomes an arrival and a wait loop, like those of an `mbarrier`, so that the other
threads of the block make progress meanwhile; so does the wait for a cluster.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from grader.simt.intrinsics import arrivals, clusters
from grader.simt.program import nodes
from grader.simt.program.nodes import Apply, Do, Expression, Operation
from grader.simt.program.types import BOOL, INT64, UINT32, Nothing, Type
from grader.simt.ptx import syntax
from grader.simt.ptx.operands import Lowering, perform
from grader.simt.ptx.syntax import Address, Operand
from grader.simt.ptx.values import to_int64

_ARRIVE, _WAIT, _WAIT_CLUSTER = "named_arrive", "named_wait", "cluster_wait"
_RESULT = "named_result"
_VOTES: dict[str, tuple[Callable[..., Any], Type]] = {
    "popc": (arrivals.count_votes, UINT32), "and": (arrivals.all_voted, BOOL),
    "or": (arrivals.any_voted, BOOL),
}  # fmt: skip
"""Reductions at a barrier of some threads."""
_ONE = nodes.Number(UINT32, 1)


def address_of(lowering: Lowering, operand: Operand, instruction: syntax.Instruction) -> Expression:
    """Return the address of a barrier in shared memory, as a generic pointer.

    Raises:
        Refused: the operand is no address.
    """
    if not isinstance(operand, Address):
        raise lowering.refuse(instruction)
    shared = any(each.startswith("shared") for each in instruction.modifiers)
    return lowering.pointer(operand, "shared" if shared else "", instruction)


def barrier_object(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `mbarrier`."""
    program = lowering.program
    program.timed = program.stores_anywhere = True
    kind = instruction.modifiers[0]
    if "noComplete" in instruction.modifiers:
        raise lowering.refuse(instruction)
    match kind:
        case "init":
            return [_do(lowering, instruction, "begin", arrivals.initialize, 0, 1)]
        case "inval":
            return []
        case "expect_tx":
            return [_do(lowering, instruction, "expect", arrivals.expect_bytes, 0, 1)]
        case "complete_tx":
            run = partial(arrivals.expect_bytes, sign=-1)
            return [_do(lowering, instruction, "complete", run, 0, 1)]
        case "arrive" | "arrive_drop":
            return [_arrive(lowering, instruction)]
        case "test_wait" | "try_wait":
            return [_test(lowering, instruction)]
        case name if name in (_ARRIVE, _WAIT, _RESULT):
            return [_named(lowering, instruction)]
        case name if name == _WAIT_CLUSTER:
            name = "mbarrier-wait cluster"
            found = perform(lowering, instruction, BOOL, name, clusters.has_ended)
            return [lowering.write(str(instruction.operands[0]), found, instruction)]
    raise lowering.refuse(instruction)


def _do(
    lowering: Lowering, instruction: syntax.Instruction, name: str, run: Callable[..., Any],
    address: int, *others: int,
) -> Operation:  # fmt: skip
    operands = instruction.operands
    given = (
        address_of(lowering, operands[address], instruction),
        *(lowering.read(operands[at], "u32", instruction) for at in others),
    )
    return Do(perform(lowering, instruction, Nothing(), f"mbarrier {name}", run, *given))


def _arrive(lowering: Lowering, instruction: syntax.Instruction) -> Operation:
    modifiers, (state, address, *more) = instruction.modifiers, instruction.operands
    where = address_of(lowering, address, instruction)
    given = lowering.read(more[0], "u32", instruction) if more else _ONE
    run: Callable[..., Any] = arrivals.arrive
    parts: tuple[Expression, ...] = (where, given)
    if "expect_tx" in modifiers:
        parts = (where, _ONE, given)
    elif modifiers[0] == "arrive_drop":
        run = arrivals.arrive_and_drop
    token = perform(lowering, instruction, INT64, "mbarrier arrive", run, *parts)
    return lowering.write(str(state), token, instruction)


def _test(lowering: Lowering, instruction: syntax.Instruction) -> Operation:
    parity = "parity" in instruction.modifiers
    result, address, phase = instruction.operands[:3]
    where = address_of(lowering, address, instruction)
    given = lowering.read(phase, "u32" if parity else "b64", instruction)
    if parity:
        given = Apply(INT64, "widen", to_int64, (given,))
    run = partial(arrivals.has_ended, parity=parity)
    ended = perform(lowering, instruction, BOOL, "mbarrier-wait", run, where, given)
    return lowering.write(str(result), ended, instruction)


# Barriers of some threads


class BarrierParts(NamedTuple):
    """What a barrier of some threads, or the wait for a cluster, is made of.

    Attributes:
        registers: that it needs, and their kinds.
        arrive: None of a cluster, which threads have arrived at before.
        test: tells whether the phase has ended; None if threads only arrive.
        ended: the register in which it does.
        result: what reads the result of a reduction; None without.
    """

    registers: dict[str, str]
    arrive: syntax.Instruction | None
    test: syntax.Instruction | None
    ended: str
    result: syntax.Instruction | None


def take_apart(each: syntax.Instruction, number: int) -> BarrierParts | None:
    """Return the parts of a barrier that threads wait at in a loop; None for what is none.

    Args:
        each: an instruction; its guard is in none of the parts.
        number: tells its registers from others.
    """
    if not _is_named(each):
        return None
    token, ended = f"%token{number}", f"%ended{number}"
    plain = replace(each, guard="", negated=False, opcode="mbarrier")
    test = replace(plain, modifiers=(_WAIT_CLUSTER, "b64"), operands=(ended, "", ""))
    if "cluster" in each.modifiers:
        return BarrierParts({ended: "pred"}, None, test, ended, None)
    result, given = None, each.operands
    if "red" in each.modifiers:
        given = each.operands[1:]
        kind = next(name for name in each.modifiers if name in _VOTES)
        result = replace(plain, modifiers=(_RESULT, kind), operands=each.operands[:2])
    arrive = replace(plain, modifiers=(_ARRIVE, "b64"), operands=(token, *given))
    test = replace(plain, modifiers=(_WAIT, "b64"), operands=(ended, given[0], token))
    waits = None if "arrive" in each.modifiers else test
    return BarrierParts({token: "b64", ended: "pred"}, arrive, waits, ended, result)


def spread_named(function: syntax.Function) -> syntax.Function:
    """Return a function in which each barrier of some threads is an arrival and a loop."""
    if not any(_is_named(each) for each in function.instructions):
        return function
    instructions, starts = list[syntax.Instruction](), list[int]()
    labels, registers = dict[str, int](), dict(function.registers)
    for number, each in enumerate(function.instructions):
        starts.append(len(instructions))
        parts = take_apart(each, number)
        if parts is None:
            instructions.append(each)
            continue
        wait, behind = f"$wait{number}", f"$behind{number}"
        registers |= parts.registers
        jump = replace(each, opcode="bra", modifiers=(), operands=(behind,))
        if each.guard:
            instructions.append(replace(jump, negated=not each.negated))
        instructions += [] if parts.arrive is None else [parts.arrive]
        if parts.test is not None:
            labels[wait] = len(instructions)
            again = replace(jump, guard=parts.ended, negated=True, operands=(wait,))
            instructions += [parts.test, again]
        instructions += [] if parts.result is None else [parts.result]
        labels[behind] = len(instructions)
    starts.append(len(instructions))
    labels |= {name: starts[at] for name, at in function.labels.items()}
    return replace(function, instructions=tuple(instructions), labels=labels, registers=registers)


def _is_named(each: syntax.Instruction) -> bool:
    if each.opcode == "barrier" and each.modifiers[:2] == ("cluster", "wait"):
        return True
    if each.opcode not in ("bar", "barrier") or not {"warp", "cluster"}.isdisjoint(each.modifiers):
        return False
    if "red" in each.modifiers:
        return len(each.operands) == 4 and not _VOTES.keys().isdisjoint(each.modifiers)
    return len(each.operands) == 2 and not {"sync", "arrive"}.isdisjoint(each.modifiers)


def _named(lowering: Lowering, instruction: syntax.Instruction) -> Operation:
    """Lower what `take_apart` makes."""
    (result, bar, *given), kind = instruction.operands, instruction.modifiers[0]
    name = lowering.read(bar, "u32", instruction)
    if kind == _RESULT:
        run, type_ = _VOTES[instruction.modifiers[1]]
        found = perform(lowering, instruction, type_, "barrier result", run, name)
    elif kind == _ARRIVE:
        values = [lowering.read(given[0], "u32", instruction)]
        values += [lowering.read(each, "pred", instruction) for each in given[1:]]
        arrive = arrivals.arrive_at_named
        found = perform(lowering, instruction, INT64, "mbarrier arrive", arrive, name, *values)
    else:
        token = lowering.read(given[0], "b64", instruction)
        ended = arrivals.has_named_ended
        found = perform(lowering, instruction, BOOL, "mbarrier-wait", ended, name, token)
    return lowering.write(str(result), found, instruction)
