"""Calls of device functions, and of the few of the device's runtime: `vprintf`, assertions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from grader.facts import fact
from grader.simt.checks.counters import Site
from grader.simt.intrinsics.failing import fail
from grader.simt.intrinsics.printing import print_values, split_format, styles_of
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.program import nodes
from grader.simt.program.nodes import (
    Apply,
    Do,
    Expression,
    Operation,
    Perform,
    Read,
    Set,
    When,
    target,
)
from grader.simt.program.types import BOOL, FLOAT64, INT32, INT64, UINT32, UINT64, Nothing, Scalar
from grader.simt.ptx import syntax
from grader.simt.ptx.operands import Lowering, find_address, slot, slot_dtype
from grader.simt.ptx.syntax import Address
from grader.simt.ptx.values import DTYPES, moved


@dataclass(frozen=True)
class Callee:
    """A function that is called.

    Attributes:
        inputs: the number of a parameter, an offset in it, and bytes: what the function reads.
        outputs: offset and bytes of what it returns.
    """

    function: nodes.Function
    inputs: tuple[tuple[int, int, int], ...]
    outputs: tuple[tuple[int, int], ...]
    itself: Site | None = None


def call(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower a call of a function, by its name or through a pointer."""
    results, name, given = _parts(lowering, instruction)
    if name in lowering.function.registers:
        return _call_pointer(lowering, instruction, name, (results, given))
    if name == "vprintf":
        return _print(lowering, instruction, given)
    if name == "__assertfail":
        failed = _assertion(lowering, instruction, given)
        return [Do(Perform(Nothing(), "assert", failed, (), lowering.site(instruction)))]
    site = lowering.site(instruction)
    callee = lowering.functions(name, instruction, site)
    if callee is None or any(place >= len(given) for place, _, _ in callee.inputs):
        raise lowering.refuse(instruction, name)
    return _call(lowering, instruction, callee, (results, given))


def _call(
    lowering: Lowering,
    instruction: syntax.Instruction,
    callee: Callee,
    passed: tuple[tuple[str, ...], tuple[str, ...]],
) -> list[Operation]:
    """Return what calls a function.

    Args:
        passed: the parameters that get its results, and those that it is given.
    """
    results, given = passed
    arguments = tuple(
        Read(slot_dtype(size), slot(given[place], offset)) for place, offset, size in callee.inputs
    )
    function = callee.function
    made = nodes.Call(
        function.result, function, arguments, callee.itself, lowering.site(instruction)
    )
    if not callee.outputs or not results:
        return [Do(made)]
    slots = [(slot(results[0], offset), slot_dtype(size)) for offset, size in callee.outputs]
    if len(slots) == 1:
        return [Set(slots[0][0], made)]
    kept, known = lowering.keep(made, instruction)
    parts = (Set(name, nodes.Part(dtype, known, at)) for at, (name, dtype) in enumerate(slots))
    return [kept, *parts]


def _call_pointer(
    lowering: Lowering,
    instruction: syntax.Instruction,
    register: str,
    passed: tuple[tuple[str, ...], tuple[str, ...]],
) -> list[Operation]:
    """Return what calls the function that a register points to: one of those that it may be."""
    results, given = passed
    site, module = lowering.site(instruction), lowering.module
    kept, pointer = lowering.keep(lowering.read(register, "s64", instruction), instruction)
    stored = {
        (address.base, address.offset, DTYPES[each.modifiers[-1]].itemsize)
        for each in lowering.function.instructions
        if each.opcode == "st" and "param" in each.modifiers
        for address in (each.operands[0],)
        if isinstance(address, Address)
    }
    made, known = list[Operation](), list[int]()
    for name, function in module.functions.items():
        address = find_address(module, name)
        counts = len(function.parameters), len(function.results)
        if address is None or counts != (len(given), len(results)):
            continue
        callee = lowering.functions(name, instruction, site)
        if callee is None:
            raise lowering.refuse(instruction, name)
        wanted = {(given[place], offset, size) for place, offset, size in callee.inputs}
        if not wanted <= stored:
            continue
        known.append(address)
        if not made:
            made += [
                Set(slot(results[0], offset), nodes.Number(slot_dtype(size), 0))
                for offset, size in callee.outputs
            ]
        test = Apply(BOOL, "is", partial(np.equal, address), (pointer,))
        made.append(When(test, tuple(_call(lowering, instruction, callee, passed)), ()))
    if not known:
        raise lowering.refuse(instruction)
    check = Perform(Nothing(), "call", partial(_check_pointer, tuple(known)), (pointer,), site)
    return [kept, Do(check), *made]


def _check_pointer(known: tuple[int, ...], here: ExecutionPoint, pointer: Value) -> None:
    """Report threads whose pointer leads to no function of this kind."""
    wrong = here.mask.full & ~np.isin(pointer, known)
    if wrong.any():
        here.report("out-of-bounds", wrong, fact("finding.no-function"), topic="call")


def _parts(
    lowering: Lowering, instruction: syntax.Instruction
) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    operands = list(instruction.operands)
    results: tuple[str, ...] = ()
    if operands and isinstance(first := operands[0], syntax.Group):
        results = first.parts
        del operands[0]
    if not operands or not isinstance(operands[0], str):
        raise lowering.refuse(instruction)
    name = operands.pop(0)
    given: tuple[str, ...] = ()
    if operands and isinstance(last := operands[0], syntax.Group):
        given = last.parts
        del operands[0]
    by_pointer = name in lowering.function.registers  # its prototype follows
    if len(operands) != by_pointer:
        raise lowering.refuse(instruction)
    assert isinstance(name, str)
    return results, name, given


def _print(
    lowering: Lowering, instruction: syntax.Instruction, given: tuple[str, ...]
) -> list[Operation]:
    """Lower `vprintf`: a format that the text has, and what the thread stored in local memory."""
    text = _format(lowering, instruction, given[0])
    site = lowering.site(instruction)
    buffer = Read(INT64, slot(given[1], 0))
    pieces, values, offset = split_format(text), list[Expression](), 0
    texts = set[int]()
    for piece in pieces:
        if isinstance(piece, str):
            continue
        if not piece.style:
            raise lowering.refuse(instruction, piece.text)
        if piece.letter == "s":
            texts.add(len(values))
        dtype = _dtype(piece.letter, piece.length)
        offset = -(-offset // dtype.itemsize) * dtype.itemsize
        pointer = moved(buffer, nodes.Number(INT64, offset))
        values.append(nodes.Load(dtype, target(dtype, pointer, site)))
        offset += dtype.itemsize
    run = partial(print_values, styles_of(pieces), frozenset(texts))
    return [Do(Perform(Nothing(), "print", run, tuple(values), site))]


def _dtype(letter: str, length: str) -> Scalar:
    if letter in "fFeEgG":
        return FLOAT64
    wide = letter in "ps" or length in ("l", "ll", "z", "j", "t")
    if letter in "dis":
        return INT64 if wide else INT32
    return UINT64 if wide else UINT32


def _assertion(
    lowering: Lowering, instruction: syntax.Instruction, given: tuple[str, ...]
) -> Callable[[ExecutionPoint], None]:
    """Return what ends the launch, in the words that CUDA prints if the text has them."""
    shown = [_text(lowering, instruction, each) for each in given]
    if len(shown) < _ASSERTED or not shown[0]:
        return partial(fail, "", "assertion failed", fact("ptx.assertion"))
    line = _passed(lowering, instruction, given[2])
    where = f"{shown[1]}:{line}: {shown[3]}: "
    ended = fact("launch.asserted", condition=shown[0])
    return partial(fail, where, f"Assertion `{shown[0]}` failed.", ended)


_ASSERTED = 4
"""Parameters of `__assertfail` that are read: the condition, the file, the line, the function."""


def _passed(
    lowering: Lowering, instruction: syntax.Instruction, parameter: str
) -> syntax.Operand | str:
    """Return what a call's parameter was last given; "" if that is not known."""
    return next(
        (
            each.operands[1]
            for each in reversed(lowering.function.instructions)
            if each.opcode == "st" and each.line < instruction.line
            and isinstance(each.operands[0], Address) and each.operands[0].base == parameter
        ),
        "",
    )  # fmt: skip


def _format(lowering: Lowering, instruction: syntax.Instruction, parameter: str) -> str:
    """Return the text whose address a parameter was given."""
    text = _text(lowering, instruction, parameter)
    if text is None:
        raise lowering.refuse(instruction, "vprintf")
    return text


def _text(lowering: Lowering, instruction: syntax.Instruction, parameter: str) -> str | None:
    """Return the text whose address a parameter was given; None if the module has none there."""
    name = _passed(lowering, instruction, parameter)
    while isinstance(name, str) and (known := lowering.defined.get(name)) is not None:
        if known.opcode not in ("mov", "cvta"):
            break
        name = known.operands[1]
    variable = lowering.module.variables.get(str(name))
    if variable is None or not variable.values:
        return None
    octets = bytes(int(each) & 0xFF for each in variable.values)
    return octets.partition(b"\0")[0].decode("utf-8", "replace")
