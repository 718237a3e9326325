"""Lowers inline PTX by the table of PTX's instructions: operands are registers of its own.

Only what runs through from the first instruction to the last: no branches and no calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from grader.facts import fact
from grader.simt.checks.counters import Site
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.assigning import assign
from grader.simt.cuda.lowering.conversions import convert, dtype_of, rvalue
from grader.simt.cuda.lowering.expressions import lower
from grader.simt.cuda.lowering.model.types import LONG_LONG, Arithmetic, PointerTo
from grader.simt.cuda.lowering.model.values import (
    Aggregate,
    Designator,
    MemoryPlace,
    Plain,
    Register,
    Value,
)
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.errors import Refused
from grader.simt.program import nodes
from grader.simt.program.nodes import (
    Convert,
    Do,
    Expression,
    Keep,
    Observe,
    Operation,
    Read,
    Set,
    When,
)
from grader.simt.program.types import BOOL, INT64
from grader.simt.ptx import syntax as ptx_syntax
from grader.simt.ptx.instructions import table
from grader.simt.ptx.instructions.mbarriers import BarrierParts, take_apart
from grader.simt.ptx.operands import Lowering
from grader.simt.ptx.reading import read_statements
from grader.simt.ptx.values import DTYPES, held_as, viewed

_KINDS = {"h": "b16", "r": "b32", "l": "b64", "f": "f32", "d": "f64"}
"""The registers that constraints mean."""
_NUMBER = "n"
_LEAVING = frozenset({"bra", "brx", "ret", "exit", "call"})
_PLACEHOLDER = re.compile(r"%(%|[0-9]+)")


@dataclass
class _Inline(Lowering):
    """The lowering of one `asm` statement, whose instructions are all in its place.

    Attributes:
        variables: the program's, by register.
    """

    unit: CudaUnit | None = None
    node: syntax.Asm | None = None
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def names_blocks(self) -> bool:
        assert self.node is not None  # it was given
        return "cluster" in self.node.text or "mapa" in self.node.text

    def site(self, instruction: ptx_syntax.Instruction) -> Site:
        assert self.unit is not None
        assert self.node is not None  # both were given
        return self.unit.site(self.node.place)

    def refuse(self, instruction: ptx_syntax.Instruction, why: str = "") -> Refused:
        assert self.unit is not None
        assert self.node is not None  # both were given
        name = f"{instruction.name} {why}".strip()
        return self.unit.refusal(self.node, fact("cpp.asm-instruction", name=name))

    def variable(self, register: str) -> str:
        if register not in self.variables:
            assert self.unit is not None  # it was given
            self.variables[register] = self.unit.temporary()
        return self.variables[register]

    def keep(
        self, value: Expression, instruction: ptx_syntax.Instruction
    ) -> tuple[Operation, Expression]:
        assert self.unit is not None  # it was given
        name = self.unit.temporary()
        return Do(Keep(value.type, name, value)), Read(value.type, name)


def lower_asm(unit: CudaUnit, node: syntax.Asm) -> list[nodes.Statement]:
    """Return what inline PTX does: one statement, and a loop where threads wait for others.

    Raises:
        Refused: an instruction, an operand, or a jump is not emulated.
    """
    site, statements = unit.site(node.place), list[nodes.Statement]()
    with unit.apart() as operations:
        for wait in _lower_parts(unit, node):
            statements += [nodes.Step(site, tuple(operations)), wait]
            operations.clear()
    return [*statements, nodes.Step(site, tuple(operations))] if operations else statements


def _lower_parts(unit: CudaUnit, node: syntax.Asm) -> Iterator[nodes.Statement]:
    """Emit what inline PTX does; yield each statement in which threads wait, in its place."""
    operands = (*node.outputs, *node.inputs)
    numbers = {
        at: _constant(unit, each)
        for at, each in enumerate(operands)
        if each.constraint.strip("=+&") == _NUMBER
    }
    function = _read(unit, node, numbers)
    parts = [take_apart(*each) for each in zip(function.instructions, count())]
    registers = {**function.registers}
    for part in filter(None, parts):
        registers |= part.registers
    registers |= {
        _register(at): _kind(unit, each) for at, each in enumerate(operands) if at not in numbers
    }
    function = replace(function, registers=registers)
    module = ptx_syntax.Module("", (), {}, "", {}, {})
    lowering = _Inline(
        module, function, unit.module.program, _no_function, {}, by_source=False, unit=unit,
        node=node,
    )  # fmt: skip
    places = [_place(unit, each) for each in node.outputs]
    given = {
        at: each
        for at, each in enumerate(operands)
        if at not in numbers and (at >= len(places) or each.constraint.startswith("+"))
    }
    for at, each in given.items():
        value = places[at] if at < len(places) else lower(unit, each.expression)
        held = _bits(unit, each, rvalue(unit, each, value), registers[_register(at)])
        unit.emit(Set(lowering.variable(_register(at)), held))
    if any(each.guard for each in function.instructions):
        for name in sorted(registers.keys() - {_register(at) for at in given}):
            zero = nodes.Number(held_as(registers[name]), 0)
            unit.emit(Set(lowering.variable(name), zero))
    for whole, found in zip(function.instructions, parts, strict=True):
        yield from _lower_whole(lowering, whole, found)
    for at, (each, place) in enumerate(zip(node.outputs, places, strict=True)):
        assign(unit, each, place, _result(unit, each, place, lowering.register(_register(at))))


def _lower_whole(
    lowering: _Inline, whole: ptx_syntax.Instruction, parts: BarrierParts | None
) -> Iterator[nodes.Statement]:
    """Emit an instruction, or its parts; yield the loop in which threads wait, in its place."""
    if parts is None:
        _emit(lowering, whole, whole)
        return
    _emit(lowering, parts.arrive, whole)
    if parts.test is not None:
        yield _wait(lowering, parts.test, parts.ended, whole)
    _emit(lowering, parts.result, whole)


def _register(at: int) -> str:
    return f"%op{at}"


def _no_function(_name: str, _instruction: ptx_syntax.Instruction, _site: Site) -> None:
    return None


def _constant(unit: CudaUnit, operand: syntax.AsmOperand) -> str:
    return str(unit.module.constant(unit, operand.expression))


def _read(unit: CudaUnit, node: syntax.Asm, numbers: Mapping[int, str]) -> ptx_syntax.Function:
    def put(found: re.Match[str]) -> str:
        text = found[1]
        return "%" if text == "%" else numbers.get(int(text), _register(int(text)))

    try:
        function = read_statements(_PLACEHOLDER.sub(put, node.text))
    except Refused as error:
        raise unit.refusal(node, fact("cpp.asm-text", why=error.what)) from None
    jumps = any(each.opcode in _LEAVING for each in function.instructions)
    if function.labels or function.tables or jumps:
        raise unit.refusal(node, fact("cpp.asm-control"))
    if function.variables:
        raise unit.refusal(node, fact("cpp.asm-variables"))
    return function


def _kind(unit: CudaUnit, operand: syntax.AsmOperand) -> str:
    kind = _KINDS.get(operand.constraint.strip("=+&"))
    if kind is None:
        raise unit.refusal(operand, fact("cpp.asm-constraint", constraint=operand.constraint))
    return kind


def _place(unit: CudaUnit, operand: syntax.AsmOperand) -> Value:
    place = lower(unit, operand.expression)
    if not isinstance(place, (Register, MemoryPlace)) or isinstance(place, (Aggregate, Designator)):
        raise _wrong(unit, operand, place)
    return unit.hold_place(place) if isinstance(place, MemoryPlace) else place


def _bits(unit: CudaUnit, operand: syntax.AsmOperand, value: Plain, kind: str) -> Expression:
    """Return what a register gets of a value: the same bits."""
    held = held_as(kind)
    if isinstance(value.type, PointerTo) and held == INT64:
        return Convert(INT64, value.node)
    if not isinstance(value.type, Arithmetic) or value.type.dtype.itemsize != held.itemsize:
        raise _wrong(unit, operand, value)
    return viewed(viewed(value.node, DTYPES[kind]), held)


def _result(
    unit: CudaUnit, operand: syntax.AsmOperand, place: Value, register: Expression
) -> Plain:
    kind = place.type
    if isinstance(kind, PointerTo) and register.type == INT64:
        return convert(unit, operand, Plain(LONG_LONG, register), kind, cast=True)
    own = dtype_of(kind) if isinstance(kind, Arithmetic) else None
    if own is None or own.itemsize != register.type.itemsize:  # type: ignore[union-attr]
        raise _wrong(unit, operand, place)
    return Plain(kind, viewed(register, own))  # type: ignore[arg-type]


def _wrong(unit: CudaUnit, operand: syntax.AsmOperand, value: Value) -> Refused:
    what = fact("cpp.asm-operand", constraint=operand.constraint, type=value.type.name)
    return unit.refusal(operand, what)


def _emit(
    lowering: _Inline, instruction: ptx_syntax.Instruction | None, whole: ptx_syntax.Instruction
) -> None:
    """Emit an instruction, if there is one, under the guard of the whole that it is a part of."""
    operations = [] if instruction is None else table.lower(lowering, instruction)
    if whole.guard and operations:
        operations = [When(_guard(lowering, whole), tuple(operations), ())]
    assert lowering.unit is not None  # it was given
    for operation in operations:
        lowering.unit.emit(operation)


def _guard(lowering: _Inline, instruction: ptx_syntax.Instruction) -> Expression:
    sign = "!" if instruction.negated else ""
    return Observe(BOOL, lowering.read(sign + instruction.guard, "pred", instruction))


def _wait(
    lowering: _Inline, test: ptx_syntax.Instruction, ended: str, whole: ptx_syntax.Instruction
) -> nodes.Statement:
    """Return the loop in which the threads of a guard wait until a test has set a register."""
    site = lowering.site(test)
    again = Observe(BOOL, lowering.read(f"!{ended}", "pred", test))
    head = tuple(table.lower(lowering, test))
    loop = nodes.Loop(site, (), again, (), (), (), (), head=head)
    return nodes.If(site, _guard(lowering, whole), (loop,), ()) if whole.guard else loop
