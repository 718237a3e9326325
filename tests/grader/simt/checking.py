"""Checks that a typed program keeps its rules: what a front end must hold, the machine relies on.

Types fit where no conversion stands, temporaries are set before they are read, loops are left from
within. A program that breaks a rule is a fault of the front end, not of the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from grader.simt.program import nodes
from grader.simt.program.nodes import Expression, Operation
from grader.simt.program.type_texts import type_text
from grader.simt.program.types import (
    BOOL,
    Array,
    Pointer,
    Range,
    RecordType,
    Tuple,
    Type,
    VectorType,
    number,
)
from grader.simt.program.walking import (
    inner_blocks,
    own_expressions,
    own_operations,
    parts_of,
    walk_expression,
    walk_statements,
)

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_SHIFTS = ("<<", ">>")


class BrokenProgram(AssertionError):
    """A typed program breaks a rule."""


def check_program(kernel: nodes.Function) -> None:
    """Check a function and those that it calls.

    Raises:
        BrokenProgram: with the place and the rule, of everything that breaks one.
    """
    seen: dict[int, nodes.Function] = {}
    faults = list(_check_reached(kernel, seen))
    if faults:
        raise BrokenProgram("\n".join(faults))


def _check_reached(function: nodes.Function, seen: dict[int, nodes.Function]) -> Iterator[str]:
    if id(function) in seen:
        return
    seen[id(function)] = function
    temporaries = frozenset(_temporaries_set(function.body))
    for statement in walk_statements(function.body):
        for fault in _check_statement(statement):
            yield f"{function.name}:{statement.site.line}: {fault}"
        for expression in own_expressions(statement):
            for node in walk_expression(expression):
                for fault in _check_expression(node, temporaries):
                    yield f"{function.name}:{statement.site.line}: {fault}"
                if isinstance(node, nodes.Call):
                    yield from _check_reached(node.function, seen)
    for fault in _check_leaving(function.body, in_loop=False, in_switch=False):
        yield f"{function.name}: {fault}"


def _temporaries_set(body: nodes.Block) -> Iterator[str]:
    for statement in walk_statements(body):
        for operation in own_operations(statement):
            match operation:
                case nodes.Set(variable) | nodes.Update(_, variable):
                    yield variable
        for expression in own_expressions(statement):
            for node in walk_expression(expression):
                if isinstance(node, nodes.Keep):
                    yield node.variable


def _check_leaving(
    block: Iterable[nodes.Statement], *, in_loop: bool, in_switch: bool
) -> Iterator[str]:
    for statement in block:
        match statement:
            case nodes.Break() if not (in_loop or in_switch):
                yield "a break outside of loops"
            case nodes.Continue() if not in_loop:
                yield "a continue outside of loops"
        loop = in_loop or isinstance(statement, (nodes.Loop, nodes.Unrolled))
        switch = in_switch or isinstance(statement, nodes.Switch)
        for inner in inner_blocks(statement):
            yield from _check_leaving(inner, in_loop=loop, in_switch=switch)


def _check_statement(statement: nodes.Statement) -> Iterator[str]:
    match statement:
        case nodes.If(_, test) | nodes.Loop(_, _, test) if test is not None:
            yield from _expect(test, BOOL, "a test")
    for operation in own_operations(statement):
        yield from _check_operation(operation)


def _check_operation(operation: Operation) -> Iterator[str]:
    match operation:
        case nodes.Store(place, value) | nodes.Update(place, _, value):
            yield from _expect(value, _held(place), "what is stored")
            yield from _check_place(place)
        case nodes.When(test):
            yield from _expect(test, BOOL, "a test")


def _expect(node: Expression, kind: Any, what: str) -> Iterator[str]:
    """Say if an expression is not of the type that is needed; numbers are of one dtype."""
    given = number(node.type)
    if (given is None or given != kind) and node.type != kind:  # to NumPy, None is float64
        yield f"{what} is {type_text(node.type)} and not {type_text(kind)}"


def _check_expression(node: Expression, temporaries: frozenset[str]) -> Iterator[str]:
    check = _CHECKS.get(type(node))
    if check is not None:
        yield from check(node)
    if (
        isinstance(node, nodes.Read)
        and nodes.is_temporary(node.variable)
        and node.variable not in temporaries
    ):
        yield f"{node.variable} is read and never set"


def _check_operate(node: nodes.Operate) -> Iterator[str]:
    kinds = [number(operand.type) for operand in node.operands]
    if any(kind is None for kind in kinds):
        yield f"{node.operator} of what is no number"
    elif node.operator in _COMPARISONS:
        yield from _expect(node, BOOL, "a comparison")
        if len(set(kinds)) > 1:
            yield f"{node.operator} compares {', '.join(map(str, kinds))}"
    else:
        operands = node.operands[:1] if node.operator in (*_SHIFTS, "**") else node.operands
        for operand in operands:
            yield from _expect(operand, number(node.type), f"an operand of {node.operator}")


def _check_choose(node: nodes.Choose) -> Iterator[str]:
    yield from _expect(node.test, BOOL, "a test")


def _check_logical(node: nodes.Logical) -> Iterator[str]:
    for operand in node.operands:
        yield from _expect(operand, number(node.type), "an operand of a logical operator")


def _check_convert(node: nodes.Convert) -> Iterator[str]:
    if number(node.type) is not None and number(node.operand.type) is None:
        yield f"{type_text(node.operand.type)} is converted to a number"


def _check_pack(node: nodes.Pack) -> Iterator[str]:
    if isinstance(node.type, Tuple) and len(node.type.items) != len(node.parts):
        yield f"{len(node.parts)} values make {type_text(node.type)}"


def _check_part(node: nodes.Part) -> Iterator[str]:
    if node.place >= len(_items(node.whole.type)):
        yield f"{type_text(node.whole.type)} has no part {node.place}"


def _items(kind: Type) -> tuple[Any, ...]:
    match kind:
        case Tuple(items) | VectorType(items=items):
            return items
        case Range(dtype):
            return (dtype,) * 3
    return ()


def _check_load(node: nodes.Load) -> Iterator[str]:
    yield from _expect(node, _held(node.place), "what is loaded")
    yield from _check_place(node.place)


def _held(place: nodes.Place) -> Type:
    """Return what a place holds; a pointer is a number, whatever it points to."""
    return place.kind if isinstance(place.kind, VectorType) else place.dtype


def _check_place(place: nodes.Place) -> Iterator[str]:
    match place:
        case nodes.Element(_, array, indices):
            if not isinstance(array.type, Array) or array.type.ndim != len(indices):
                yield f"{len(indices)} indices of {type_text(array.type)}"
        case nodes.FieldOf(_, record) if not isinstance(record.type, RecordType):
            yield f"a field of {type_text(record.type)}"
        case nodes.Target(_, pointer) if not isinstance(pointer.type, Pointer):
            yield f"the target of {type_text(pointer.type)}"
    for part in parts_of(place)[1:]:
        kind = number(part.type)
        if kind is None or kind.kind not in "iu":
            yield f"an index of type {type_text(part.type)}"


def _check_move(node: nodes.Move) -> Iterator[str]:
    if not isinstance(node.pointer.type, Pointer):
        yield f"{type_text(node.pointer.type)} is moved as a pointer"
    step = number(node.index.type)
    if step is None or step.kind not in "iu":
        yield f"a pointer is moved by {type_text(node.index.type)}"


def _check_call(node: nodes.Call) -> Iterator[str]:
    if len(node.arguments) != len(node.function.parameters):
        yield f"{node.function.name} is called with {len(node.arguments)} arguments"


_CHECKS: dict[type[Expression], Callable[[Any], Iterator[str]]] = {
    nodes.Operate: _check_operate,
    nodes.Choose: _check_choose,
    nodes.Logical: _check_logical,
    nodes.Convert: _check_convert,
    nodes.Pack: _check_pack,
    nodes.Part: _check_part,
    nodes.Load: _check_load,
    nodes.Move: _check_move,
    nodes.Call: _check_call,
}
