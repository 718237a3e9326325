"""`cp.async` and its groups (PTX ISA 9.7.9.25)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from grader.simt.intrinsics import copies
from grader.simt.program.nodes import Do, Expression, Operation
from grader.simt.program.types import Nothing
from grader.simt.ptx import syntax
from grader.simt.ptx.instructions.bulk import bulk_copy
from grader.simt.ptx.instructions.mbarriers import address_of
from grader.simt.ptx.instructions.reductions import OPERATIONS
from grader.simt.ptx.instructions.tensors import tensor_copy
from grader.simt.ptx.operands import Lowering, perform
from grader.simt.ptx.syntax import Address


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
