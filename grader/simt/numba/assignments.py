"""Compiles assignments: to names, whose old value some threads may keep, and to elements."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from grader.facts import fact
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.conversion import uniform
from grader.simt.machine.frame import Value
from grader.simt.memory.extents import each_element, fill_elements
from grader.simt.memory.reaching import reach
from grader.simt.numba.indexing import compile_part, compile_place
from grader.simt.numba.operations import OPERATORS, cast_narrow, compile_operation
from grader.simt.numba.records import compile_copy, compile_record_fill
from grader.simt.numba.refused import REFUSED
from grader.simt.numba.typed import Iteration, TypedNode, constant, hold, is_value, item, temporary
from grader.simt.numba.unit import StatementForms, Unit
from grader.simt.program import nodes
from grader.simt.program.nodes import Do, Element, Expression, Operation, Perform, Read
from grader.simt.program.types import (
    INT64,
    Array,
    Conflict,
    Nothing,
    RecordType,
    Tuple,
    Type,
    describe,
    number,
)


def _compile_assignment(unit: Unit, node: ast.Assign) -> nodes.Statement:
    first = node.targets[0]
    unit.naming = first.id if isinstance(first, ast.Name) else ""
    typed = unit.compile_expression(node.value)
    _check_value(unit, node, typed.type)
    operations: list[Operation] = []
    if len(node.targets) > 1:
        operations, typed = hold(typed)
    for target in node.targets:
        operations += compile_target(unit, target, typed)
    return nodes.Step(unit.site(node), tuple(operations))


def _compile_annotated(unit: Unit, node: ast.AnnAssign) -> nodes.Statement:
    if node.value is None:
        return nodes.Step(unit.site(node), ())
    plain = ast.copy_location(ast.Assign([node.target], node.value), node)
    return _compile_assignment(unit, plain)


def _check_value(unit: Unit, node: ast.stmt, kind: Type) -> None:
    """Refuse a value that no name can stand for: conflicting types."""
    if isinstance(kind, Conflict):
        raise unit.refusal(node, fact("python.not-a-variable", type=describe(kind)))


def compile_target(unit: Unit, target: ast.expr, value: Expression) -> list[Operation]:
    """Compile what stores a value, which is evaluated once, in a target."""
    match target:
        case ast.Name(id=name):
            return _compile_variable_target(unit, name, value)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return _compile_unpacking(unit, target, parts, value)
        case ast.Subscript() if (part := compile_part(unit, target)) is not None:
            return _compile_fill(unit, target, part, value)
        case ast.Subscript() | ast.Attribute():
            place = compile_place(unit, target)
            if not isinstance(place, Expression):
                unit.dtype(target, value.type)
                return [nodes.Store(place, cast_narrow(unit, target, value, place.dtype))]
            if isinstance(place.type, Array):
                return _compile_array_copy(unit, target, place, value)
            return [Do(compile_copy(unit, target, place, value))]
        case _:
            raise unit.refusal(target, fact("python.cannot-assign"))


def _compile_fill(
    unit: Unit, target: ast.Subscript, part: Expression, value: Expression
) -> list[Operation]:
    """Compile what stores one number into every element of a part of an array."""
    assert isinstance(part.type, Array)  # of an array
    if isinstance(value.type, RecordType):
        return [Do(compile_record_fill(unit, target, part, value))]
    if isinstance(value.type, Tuple) and part.type.ndim == 1:
        return _compile_listing(unit, target, part, value)
    if number(value.type) is None:
        raise unit.typing_error(target, fact("python.fill", type=describe(value.type)))
    given = cast_narrow(unit, target, value, part.type.dtype)
    fill = partial(fill_elements, part.type.ndim)
    return [Do(Perform(Nothing(), "fill", fill, (given, part), unit.site(target)))]


def _compile_array_copy(
    unit: Unit, target: ast.expr, part: Expression, value: Expression
) -> list[Operation]:
    """Compile what copies an array into one that is a field of a record, element by element."""
    kind, own = value.type, part.type
    assert isinstance(own, Array)  # the caller has looked
    if not isinstance(kind, Array) or (kind.dtype, kind.ndim) != (own.dtype, own.ndim):
        raise unit.typing_error(target, fact("record.array-field", type=describe(own)))
    copy = partial(_copy_elements, own.ndim)
    return [Do(Perform(Nothing(), "copy", copy, (value, part), unit.site(target)))]


def _copy_elements(ndim: int, here: ExecutionPoint, value: Value, array: Value) -> None:
    for index, there, cells in each_element(array, ndim, here):
        source = reach(value, [uniform(i, INT64) for i in index], there)
        if source is not None:
            cells.store(source.load())


def _compile_listing(
    unit: Unit, target: ast.Subscript, part: Expression, value: Expression
) -> list[Operation]:
    """Compile what stores the items of a tuple in a part of an array, one after the other."""
    assert isinstance(part.type, Array)  # of an array
    assert isinstance(value.type, Tuple)  # the caller has looked
    dtype, site = part.type.dtype, unit.site(target)
    operations, whole = hold(value)
    more, array = hold(part)
    operations += more
    for item_type in value.type.items:
        unit.dtype(target, item_type)
    for place in range(len(value.type.items)):
        cell = Element(dtype, array, (constant(place, INT64),), site)
        operations.append(nodes.Store(cell, cast_narrow(unit, target, item(whole, place), dtype)))
    return operations


def _compile_variable_target(unit: Unit, name: str, value: Expression) -> list[Operation]:
    unit.met.add(name)
    if unit.env is not None:
        unit.env[name] = value.type
    if isinstance(value, Iteration):
        unit.series[name] = replace(value, begin=())
        return list(value.begin)
    if not is_value(value.type):
        return []
    return unit.set_variable(name, value)


def _compile_unpacking(
    unit: Unit, target: ast.expr, parts: Sequence[ast.expr], value: Expression
) -> list[Operation]:
    kind = value.type
    operations, whole = hold(value)
    if isinstance(kind, Array):
        items = [_element(unit, target, whole, place) for place in range(len(parts))]
    elif isinstance(kind, Tuple) and len(kind.items) == len(parts):
        items = [item(whole, place) for place in range(len(parts))]
    else:
        raise unit.typing_error(target, fact("python.unpack", type=describe(kind), n=len(parts)))
    for part, given in zip(parts, items, strict=True):
        operations += compile_target(unit, part, given)
    return operations


def _element(unit: Unit, target: ast.expr, whole: Expression, place: int) -> Expression:
    """Compile an element, or a row, along the first axis of an array."""
    array = TypedNode(whole, ast.copy_location(ast.expr(), target))
    index = ast.copy_location(ast.Constant(place), target)
    return unit.compile_expression(
        ast.copy_location(ast.Subscript(array, index, ast.Load()), target)
    )


def _compile_augmented(unit: Unit, node: ast.AugAssign) -> nodes.Statement:
    operator = OPERATORS.get(type(node.op))
    if operator is None:
        raise unit.refusal(node, REFUSED[type(node.op)])
    if isinstance(node.target, (ast.Subscript, ast.Attribute)):
        place = compile_place(unit, node.target)
        if isinstance(place, Expression):
            raise unit.refusal(node, fact("python.not-a-number", type=describe(place.type)))
        old = Read(place.dtype, temporary())
        value = unit.compile_expression(node.value)
        typed = compile_operation(unit, node, operator, old, value)
        typed = unit.inference.settle(node, typed)
        new = cast_narrow(unit, node.target, typed, place.dtype)
        return nodes.Step(unit.site(node), (nodes.Update(place, old.variable, new),))
    if not isinstance(node.target, ast.Name):
        raise unit.refusal(node, fact("python.cannot-assign"))
    read = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
    before, value = unit.compile_expression(read), unit.compile_expression(node.value)
    typed = compile_operation(unit, node, operator, before, value)
    typed = unit.inference.settle(node, typed)
    operations = _compile_variable_target(unit, node.target.id, typed)
    return nodes.Step(unit.site(node), tuple(operations))


FORMS: StatementForms = {
    ast.Assign: _compile_assignment,
    ast.AnnAssign: _compile_annotated,
    ast.AugAssign: _compile_augmented,
}
