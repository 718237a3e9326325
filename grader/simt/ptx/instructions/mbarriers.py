"""`mbarrier` (PTX ISA 9.7.13.15), barriers of some of a block's threads (9.7.13.1), of clusters.

A named barrier becomes an arrival and a wait loop, like those of an `mbarrier`, so that the other
threads of the block make progress meanwhile; so does the wait for a cluster.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from grader.simt.intrinsics import arrivals, clusters
from grader.simt.program import nodes
from grader.simt.program.nodes import Apply, Do, Expression, Operation
from grader.simt.program.types import BOOL, INT64, UINT32, Nothing
from grader.simt.ptx import syntax
from grader.simt.ptx.operands import Lowering, perform
from grader.simt.ptx.syntax import Address, Operand
from grader.simt.ptx.values import to_int64

_ARRIVE, _WAIT, _WAIT_CLUSTER = "named_arrive", "named_wait", "cluster_wait"
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
        case name if name in (_ARRIVE, _WAIT):
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


def spread_named(function: syntax.Function) -> syntax.Function:
    """Return a function in which each barrier of some threads is an arrival and a loop."""
    if not any(_is_named(each) for each in function.instructions):
        return function
    instructions, starts = list[syntax.Instruction](), list[int]()
    labels, registers = dict[str, int](), dict(function.registers)
    for number, each in enumerate(function.instructions):
        starts.append(len(instructions))
        if not _is_named(each):
            instructions.append(each)
            continue
        token, ended = f"%token{number}", f"%ended{number}"
        wait, behind = f"$wait{number}", f"$behind{number}"
        registers[ended] = "pred"
        plain = replace(each, guard="", negated=False)
        if each.guard:
            instructions.append(
                replace(
                    each, negated=not each.negated, opcode="bra", modifiers=(), operands=(behind,)
                )
            )
        test = replace(
            plain, opcode="mbarrier", modifiers=(_WAIT_CLUSTER, "b64"), operands=(ended, "", "")
        )
        if "cluster" not in each.modifiers:
            bar, threads = each.operands
            registers[token] = "b64"
            arrive = replace(test, modifiers=(_ARRIVE, "b64"), operands=(token, bar, threads))
            instructions.append(arrive)
            test = replace(test, modifiers=(_WAIT, "b64"), operands=(ended, bar, token))
        if "arrive" not in each.modifiers:
            labels[wait] = len(instructions)
            again = replace(plain, guard=ended, negated=True, opcode="bra", modifiers=())
            instructions += [test, replace(again, operands=(wait,))]
        labels[behind] = len(instructions)
    starts.append(len(instructions))
    labels |= {name: starts[at] for name, at in function.labels.items()}
    return replace(function, instructions=tuple(instructions), labels=labels, registers=registers)


def _is_named(each: syntax.Instruction) -> bool:
    if each.opcode == "barrier" and each.modifiers[:2] == ("cluster", "wait"):
        return True
    if each.opcode not in ("bar", "barrier") or len(each.operands) != 2:
        return False
    return "warp" not in each.modifiers and not {"sync", "arrive"}.isdisjoint(each.modifiers)


def _named(lowering: Lowering, instruction: syntax.Instruction) -> Operation:
    """Lower what `spread_named` makes."""
    result, bar, given = instruction.operands
    name = lowering.read(bar, "u32", instruction)
    if instruction.modifiers[0] == _ARRIVE:
        threads = lowering.read(given, "u32", instruction)
        found = perform(
            lowering, instruction, INT64, "mbarrier arrive", arrivals.arrive_at_named, name, threads
        )
    else:
        token = lowering.read(given, "b64", instruction)
        run = arrivals.has_named_ended
        found = perform(lowering, instruction, BOOL, "mbarrier-wait", run, name, token)
    return lowering.write(str(result), found, instruction)
