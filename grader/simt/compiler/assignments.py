"""Compiles assignments: to names, whose old value some threads may keep, and to elements."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from grader.facts import fact
from grader.simt.compiler.indexing import compile_part, compile_place, compile_store, compile_update
from grader.simt.compiler.merging import merge
from grader.simt.compiler.operations import OPERATORS, cast_narrow, compile_operation
from grader.simt.compiler.records import compile_copy, compile_record_fill
from grader.simt.compiler.refused import REFUSED
from grader.simt.compiler.unit import StatementForms, Unit
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.typed import (
    Evaluate,
    Execute,
    Frame,
    TypedNode,
    TypedValue,
    Value,
    is_value,
    item,
    uniform,
)
from grader.simt.masks import Mask
from grader.simt.memory.extents import each_element
from grader.simt.memory.reaching import reach
from grader.simt.reading.types import (
    INT64,
    Array,
    Conflict,
    Record,
    Tuple,
    Type,
    describe,
    number,
)


def _compile_assignment(unit: Unit, node: ast.Assign) -> Execute:
    first = node.targets[0]
    unit.naming = first.id if isinstance(first, ast.Name) else ""
    typed = unit.compile_expression(node.value)
    _check_value(unit, node, typed.type)
    stores = [compile_target(unit, target, typed.type, node) for target in node.targets]
    evaluate = typed.evaluate

    def execute(frame: Frame, mask: Mask) -> Mask:
        value = evaluate(frame, mask)
        for store in stores:
            store(frame, mask, value)
        return mask

    return execute


def _compile_annotated(unit: Unit, node: ast.AnnAssign) -> Execute:
    if node.value is None:
        return lambda _frame, mask: mask
    plain = ast.copy_location(ast.Assign([node.target], node.value), node)
    unit.liveness.kept[id(plain)] = unit.liveness.kept[id(node)]
    return _compile_assignment(unit, plain)


def _check_value(unit: Unit, node: ast.stmt, kind: Type) -> None:
    """Refuse a value that no name can stand for: conflicting types."""
    if isinstance(kind, Conflict):
        raise unit.refusal(node, fact("python.not-a-variable", type=describe(kind)))


def compile_target(
    unit: Unit, target: ast.expr, kind: Type, node: ast.stmt
) -> Callable[[Frame, Mask, Value], None]:
    """Compile what stores a value of a type in a target."""
    match target:
        case ast.Name(id=name):
            return _compile_variable_target(unit, name, kind, node)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return _compile_unpacking(unit, target, parts, kind, node)
        case ast.Subscript() if isinstance(part := compile_part(unit, target), TypedValue):
            return _compile_fill(unit, target, part, kind)
        case ast.Subscript() | ast.Attribute():
            place = compile_place(unit, target)
            if isinstance(place, TypedValue) and isinstance(place.type, Array):
                return _compile_array_copy(unit, target, place, kind)
            if isinstance(place, TypedValue):
                return compile_copy(unit, target, place, kind)
            holder = TypedValue(kind, lambda frame, _mask: frame.values["="])
            unit.dtype(target, kind)
            store = compile_store(place, cast_narrow(unit, target, holder, place.dtype))

            def keep(frame: Frame, mask: Mask, value: Value) -> None:
                frame.values["="] = value
                store(frame, mask)

            return keep
        case _:
            raise unit.refusal(target, fact("python.cannot-assign"))


def _compile_fill(
    unit: Unit, target: ast.Subscript, part: TypedValue, kind: Type
) -> Callable[[Frame, Mask, Value], None]:
    """Compile what stores one number into every element of a part of an array."""
    assert isinstance(part.type, Array)  # of an array
    if isinstance(kind, Record):
        return compile_record_fill(unit, target, part, kind)
    if isinstance(kind, Tuple) and part.type.ndim == 1:
        return _compile_listing(unit, target, part, kind)
    if number(kind) is None:
        raise unit.typing_error(target, fact("python.fill", type=describe(kind)))
    holder = TypedValue(kind, lambda frame, _mask: frame.values["="])
    evaluate, site = cast_narrow(unit, target, holder, part.type.dtype), unit.site(target)
    ndim = part.type.ndim

    def fill(frame: Frame, mask: Mask, value: Value) -> None:
        frame.values["="] = value
        given, array = evaluate(frame, mask), part.evaluate(frame, mask)
        for _, _, cells in each_element(array, ndim, ExecutionPoint(frame.chunk, mask, site)):
            cells.store(given)

    return fill


def _compile_array_copy(
    unit: Unit, target: ast.expr, part: TypedValue, kind: Type
) -> Callable[[Frame, Mask, Value], None]:
    """Compile what copies an array into one that is a field of a record, element by element."""
    assert isinstance(part.type, Array)  # the caller has looked
    ndim, site = part.type.ndim, unit.site(target)
    if not isinstance(kind, Array) or (kind.dtype, kind.ndim) != (part.type.dtype, ndim):
        what = fact("record.array-field", type=describe(part.type))
        raise unit.typing_error(target, what)

    def copy(frame: Frame, mask: Mask, value: Value) -> None:
        here = ExecutionPoint(frame.chunk, mask, site)
        for index, there, cells in each_element(part.evaluate(frame, mask), ndim, here):
            source = reach(value, [uniform(i, INT64) for i in index], there)
            if source is not None:
                cells.store(source.load())

    return copy


def _compile_listing(
    unit: Unit, target: ast.Subscript, part: TypedValue, kind: Tuple
) -> Callable[[Frame, Mask, Value], None]:
    """Compile what stores the items of a tuple in a part of an array, one after the other."""
    assert isinstance(part.type, Array)  # of an array
    dtype, site = part.type.dtype, unit.site(target)
    whole = TypedValue(kind, lambda frame, _mask: frame.values["="])
    for part_type in kind.items:
        unit.dtype(target, part_type)
    parts = [item(whole, place) for place in range(len(kind.items))]
    items = [cast_narrow(unit, target, value, dtype) for value in parts]

    def store(frame: Frame, mask: Mask, value: Value) -> None:
        frame.values["="] = value
        array = part.evaluate(frame, mask)
        for place, evaluate in enumerate(items):
            here = ExecutionPoint(frame.chunk, mask, site)
            cells = reach(array, [uniform(place, INT64)], here)
            if cells is not None:
                cells.store(evaluate(frame, mask))

    return store


def _compile_variable_target(
    unit: Unit, name: str, kind: Type, node: ast.stmt
) -> Callable[[Frame, Mask, Value], None]:
    unit.met.add(name)
    if unit.env is not None:
        unit.env[name] = kind
    if not is_value(kind):
        return lambda _frame, _mask, _value: None
    store, recorder = _store_variable(unit, name, kind, node), unit.program.recorder
    return store if recorder is None or unit.file else recorder.follow(name, store)


def _store_variable(
    unit: Unit, name: str, kind: Type, node: ast.stmt
) -> Callable[[Frame, Mask, Value], None]:
    """Compile what sets a variable for the threads of a mask."""
    if name not in unit.liveness.kept.get(id(node), ()):

        def replace(frame: Frame, _mask: Mask, value: Value) -> None:
            frame.values[name] = value

        return replace

    def merge_value(frame: Frame, mask: Mask, value: Value) -> None:
        if isinstance(kind, (Array, Record)) and not frame.chunk.waits_for(mask):
            frame.values[name] = value  # one array for all that are left, not a choice
        else:
            frame.values[name] = merge(mask, value, frame.values.get(name))

    return merge_value


def _compile_unpacking(
    unit: Unit, target: ast.expr, parts: Sequence[ast.expr], kind: Type, node: ast.stmt
) -> Callable[[Frame, Mask, Value], None]:
    if isinstance(kind, Array):
        return _compile_array_unpacking(unit, target, parts, kind, node)
    if not isinstance(kind, Tuple) or len(kind.items) != len(parts):
        raise unit.typing_error(target, fact("python.unpack", type=describe(kind), n=len(parts)))
    stores = [
        compile_target(unit, part, item, node) for part, item in zip(parts, kind.items, strict=True)
    ]

    def unpack(frame: Frame, mask: Mask, value: Value) -> None:
        for store, part in zip(stores, value, strict=True):
            store(frame, mask, part)

    return unpack


def _compile_array_unpacking(
    unit: Unit, target: ast.expr, parts: Sequence[ast.expr], kind: Array, node: ast.stmt
) -> Callable[[Frame, Mask, Value], None]:
    """Compile `p, q = a`: elements, or rows, along the first axis."""
    holder = ast.copy_location(ast.expr(), target)
    whole = TypedNode(TypedValue(kind, lambda frame, _mask: frame.values["unpacked"]), holder)
    items, stores = [], []
    for place, part in enumerate(parts):
        index = ast.copy_location(ast.Constant(place), target)
        element = ast.copy_location(ast.Subscript(whole, index, ast.Load()), target)
        typed = unit.compile_expression(element)
        items.append(typed.evaluate)
        stores.append(compile_target(unit, part, typed.type, node))

    def unpack(frame: Frame, mask: Mask, value: Value) -> None:
        frame.values["unpacked"] = value
        for evaluate, store in zip(items, stores, strict=True):
            store(frame, mask, evaluate(frame, mask))

    return unpack


def _compile_augmented(unit: Unit, node: ast.AugAssign) -> Execute:
    operator = OPERATORS.get(type(node.op))
    if operator is None:
        raise unit.refusal(node, REFUSED[type(node.op)])
    if isinstance(node.target, (ast.Subscript, ast.Attribute)):
        place = compile_place(unit, node.target)
        if isinstance(place, TypedValue):
            raise unit.refusal(node, fact("python.not-a-number", type=describe(place.type)))

        def change(old: TypedValue) -> Evaluate:
            value = unit.compile_expression(node.value)
            typed = compile_operation(unit, node, operator, old, value)
            typed = unit.inference.settle(node, typed)
            return cast_narrow(unit, node.target, typed, place.dtype)

        update = compile_update(place, change)

        def execute(frame: Frame, mask: Mask) -> Mask:
            update(frame, mask)
            return mask

        return execute
    if not isinstance(node.target, ast.Name):
        raise unit.refusal(node, fact("python.cannot-assign"))
    read = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
    old, value = unit.compile_expression(read), unit.compile_expression(node.value)
    typed = compile_operation(unit, node, operator, old, value)
    typed = unit.inference.settle(node, typed)
    store = _compile_variable_target(unit, node.target.id, typed.type, node)
    evaluate = typed.evaluate

    def assign(frame: Frame, mask: Mask) -> Mask:
        store(frame, mask, evaluate(frame, mask))
        return mask

    return assign


FORMS: StatementForms = {
    ast.Assign: _compile_assignment,
    ast.AnnAssign: _compile_annotated,
    ast.AugAssign: _compile_augmented,
}
