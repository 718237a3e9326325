"""Instructions that compute: each `Form` as an expression, moves, and sums of addresses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from grader.simt.program import nodes
from grader.simt.program.nodes import Apply, Convert, Expression, Operation, Read, Set
from grader.simt.program.types import BOOL, INT32, INT64, Scalar, Tuple
from grader.simt.ptx import syntax
from grader.simt.ptx.instructions.forms import find_form
from grader.simt.ptx.instructions.kinds import Compute, Form
from grader.simt.ptx.operands import Lowering
from grader.simt.ptx.syntax import registers_of
from grader.simt.ptx.values import DTYPES, Vector, apply, moved, to_int64, viewed

_CARRY = "$carry"
_MOST_SHIFT = 8
_SUMS = frozenset({"add", "sub", "mad"})
_HALVES = {2: "b16", 4: "b32", 1: "b8"}


def find_definitions(function: syntax.Function) -> Mapping[str, syntax.Instruction]:
    """Return the only instruction that sets a register, by its name."""
    found = defaultdict[str, list[syntax.Instruction]](list)
    for each in function.instructions:
        if each.operands and each.opcode not in ("st", "bra", "red", "bar"):
            for names in registers_of(each.operands[0]):
                for name in names.split("|"):
                    found[name].append(each)
    return {name: each[0] for name, each in found.items() if len(each) == 1 and not each[0].guard}


def find_pointers(
    function: syntax.Function, module: syntax.Module, parameters: Iterable[str] = ()
) -> frozenset[str]:
    """Return the registers that hold pointers, as far as what sets them says so.

    Args:
        parameters: those whose address it takes.
    """
    found = set[str]()
    own = (variable.name for variable in function.variables)
    variables = {*module.variables, *own, *parameters}
    while True:
        before = len(found)
        for each in function.instructions:
            if not each.operands or not isinstance(each.operands[0], str):
                continue
            given = [str(other) for other in each.operands[1:]]
            if _makes_pointer(each, given, found, variables):
                found.add(each.operands[0])
        if len(found) == before:
            return frozenset(found)


def _makes_pointer(
    each: syntax.Instruction, given: list[str], known: set[str], variables: set[str]
) -> bool:
    if not given or not each.modifiers:
        return False
    match each.opcode:
        case "cvta":
            return True
        case "ld":
            return "param" in each.modifiers and each.modifiers[-1] in ("u64", "b64", "s64")
        case "mov":
            return given[0] in known or given[0].partition("+")[0] in variables
        case "add" | "sub":
            return each.modifiers[-1] in ("s64", "u64", "b64") and not known.isdisjoint(given)
        case "mad":
            return "wide" in each.modifiers and given[-1] in known
        case "selp":
            return each.modifiers[-1] in ("s64", "u64", "b64") and known.issuperset(given[:2])
    return False


def compute(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower what a form describes."""
    operands = instruction.operands
    if instruction.opcode in _SUMS and len(operands) >= 3 and instruction.modifiers:
        moved = _move_pointer(lowering, instruction)
        if moved is not None:
            return [moved]
    form = find_form(
        instruction.opcode, instruction.modifiers, len(operands), instruction.selectors
    )
    if form is None:
        raise lowering.refuse(instruction)
    given = operands[1:]
    values = [
        lowering.read(operand, kind, instruction)
        for operand, kind in zip(given, form.operands, strict=False)
    ]
    if form.reads_carry:
        values.append(Read(BOOL, _CARRY))
    return _give(lowering, instruction, form, values)


def _give(
    lowering: Lowering, instruction: syntax.Instruction, form: Form, values: list[Expression]
) -> list[Operation]:
    name, first = instruction.opcode, str(instruction.operands[0])
    kinds = tuple(DTYPES[kind] for kind in form.results)
    if len(kinds) == 1:
        made = Apply(kinds[0], name, form.compute, tuple(values))
        return [lowering.write(first, made, instruction)]
    register, _, other = first.partition("|")
    if not other and not form.sets_carry:
        made = Apply(kinds[0], name, partial(_first_of, form.compute), tuple(values))
        return [lowering.write(register, made, instruction)]
    both = Apply(Tuple(kinds), name, form.compute, tuple(values))
    if not form.sets_carry:
        return lowering.spread(both, (register, other), instruction)
    kept, known = lowering.keep(both, instruction)
    value, carry = (nodes.Part(kind, known, at) for at, kind in enumerate(kinds))
    return [kept, lowering.write(register, value, instruction), Set(_CARRY, carry)]


def _first_of(function: Compute, *values: Vector) -> Any:
    return function(*values)[0]


class _Offset(NamedTuple):
    """Bytes beyond a pointer: an index in steps."""

    steps: Expression
    size: int


def _move_pointer(lowering: Lowering, instruction: syntax.Instruction) -> Operation | None:
    """Lower the sum of a pointer and bytes, as an index in steps where that is known."""
    kind, operands = instruction.modifiers[-1], [str(each) for each in instruction.operands]
    pointers = lowering.pointers
    if instruction.opcode == "mad":
        _, register, by, pointer = operands
        wide = "wide" in instruction.modifiers and kind in ("s32", "u32")
        if not wide or pointer not in pointers or not by.isdecimal():
            return None
        offset = _Offset(_index(lowering, register, kind, instruction), int(by))
        return _moved(lowering, instruction, pointer, offset)
    if instruction.opcode == "sub" or kind not in ("s64", "u64", "b64"):
        return None
    first, second = operands[1:3]
    if second in pointers and first not in pointers:
        first, second = second, first
    if first not in pointers or second in pointers or "cc" in instruction.modifiers:
        return None
    return _moved(lowering, instruction, first, _offset(lowering, second, instruction))


def _offset(lowering: Lowering, register: str, instruction: syntax.Instruction) -> _Offset:
    """Return bytes as an index in steps: what is multiplied, where it is still what it was."""
    plain = _Offset(lowering.read(register, "s64", instruction), 1)
    scaled = lowering.defined.get(register)
    if scaled is None or len(scaled.operands) != 3:
        return plain
    source, by = str(scaled.operands[1]), str(scaled.operands[2])
    made = lowering.defined.get(source)
    if made is None or not by.isdecimal() or not made.line < scaled.line < instruction.line:
        return plain
    kind = scaled.modifiers[-1]
    if scaled.opcode == "mul" and "wide" in scaled.modifiers and kind in ("s32", "u32"):
        return _Offset(_index(lowering, source, kind, instruction), int(by))
    if scaled.opcode == "shl" and kind == "b64" and int(by) < _MOST_SHIFT:
        return _Offset(lowering.read(source, "s64", instruction), 1 << int(by))
    return plain


def _index(
    lowering: Lowering, register: str, kind: str, instruction: syntax.Instruction
) -> Expression:
    if kind == "s32":
        return Convert(INT64, lowering.read(register, "s32", instruction))
    return apply(INT64, "widen", to_int64, lowering.read(register, "u32", instruction))


def _moved(
    lowering: Lowering, instruction: syntax.Instruction, pointer: str, offset: _Offset
) -> Operation:
    first, target = lowering.read(pointer, "s64", instruction), str(instruction.operands[0])
    return lowering.write(target, moved(first, offset.steps, offset.size), instruction)


def move(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `mov`: of a value, of several packed into one, or of one taken apart."""
    target, given = instruction.operands
    kind = instruction.modifiers[-1]
    if isinstance(given, syntax.Group):
        size = DTYPES[kind].itemsize // len(given.parts)
        parts = [lowering.read(each, _HALVES[size], instruction) for each in given.parts]
        packed = Apply(DTYPES[kind], "pack", partial(_pack, DTYPES[kind]), tuple(parts))
        return [lowering.write(str(target), packed, instruction)]
    if isinstance(target, syntax.Group):
        size = DTYPES[kind].itemsize // len(target.parts)
        dtype = DTYPES[_HALVES[size]]
        kept, known = lowering.keep(lowering.read(given, kind, instruction), instruction)
        return [
            kept,
            *(
                lowering.write(
                    name, Apply(dtype, "unpack", partial(_take, at, dtype), (known,)), instruction
                )
                for at, name in enumerate(target.parts)
            ),
        ]
    return [lowering.write(str(target), lowering.read(given, kind, instruction), instruction)]


def _pack(dtype: Scalar, *parts: Vector) -> Vector:
    shape = np.broadcast_shapes(*(part.shape for part in parts))
    stacked = np.stack([np.broadcast_to(part, shape) for part in parts], axis=-1)
    packed: Vector = np.ascontiguousarray(stacked).view(dtype)[..., 0]
    return packed


def _take(place: int, dtype: Scalar, whole: Vector) -> Vector:
    part: Vector = np.ascontiguousarray(whole)[..., None].view(dtype)[..., place]
    return np.ascontiguousarray(part)


def compare_index(index: Expression) -> Expression:
    """Return the test for the first of two targets of a table."""
    return Apply(BOOL, "first", lambda value: value == 0, (viewed(index, INT32),))
