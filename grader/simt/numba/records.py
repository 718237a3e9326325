"""Compiles records: a record of an array, fields of records, and the same field of all records."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from grader.did_you_mean import name_near
from grader.facts import fact
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.conversion import uniform
from grader.simt.machine.frame import Value
from grader.simt.masks import Mask
from grader.simt.memory.choices import ArrayValue, change_arrays
from grader.simt.memory.extents import each_element
from grader.simt.memory.records import (
    RecordField,
    copy_record,
    field_of,
    find_record,
    select_array,
    select_in_record,
)
from grader.simt.memory.views import View
from grader.simt.numba.refused import refuse_elements
from grader.simt.numba.unit import Unit
from grader.simt.program import nodes
from grader.simt.program.nodes import Expression, FieldOf, Perform
from grader.simt.program.types import (
    INT64,
    SCALARS,
    Array,
    Constant,
    Nothing,
    RecordType,
    Scalar,
    Text,
    Type,
)


def field_name(unit: Unit, node: ast.Subscript, kind: Type) -> str | None:
    """Return the field that brackets name: `r["x"]`, `r[0]`, `a["x"]`; None if they name none.

    Raises:
        NotTyped: a record has nothing else in brackets.
    """
    if isinstance(kind, Array):
        if not kind.dtype.names or not isinstance(node.slice, (ast.Constant, ast.Name)):
            return None
    elif not isinstance(kind, RecordType):
        return None
    index = None if isinstance(node.slice, ast.Slice) else unit.compile_expression(node.slice).type
    names = kind.dtype.names or ()
    match index:
        case Text(value):
            return value
        case _ if isinstance(kind, Array):
            return None
        case Constant(value) if -len(names) <= value < len(names):
            return names[value]
        case _:
            raise unit.typing_error(node, fact("record.index"), _fields(kind.dtype))


def find_field(unit: Unit, node: ast.expr, record: Scalar, name: str) -> RecordField:
    """Return a field of a record.

    Raises:
        NotTyped: it has no such field, or one that is not aligned.
        Refused: its dtype is not emulated.
    """
    try:
        field = field_of(record, name)
    except KeyError:
        instead = name_near(name, record.names or ()) or _fields(record)
        raise unit.typing_error(node, fact("record.no-field", name=name), instead) from None
    if field.dtype.names is None and (field.dtype not in SCALARS or not field.dtype.isnative):
        raise unit.refusal(node, *refuse_elements(field.dtype))
    if field.offset % field.dtype.alignment and not field.dtype.names:
        what = fact("record.unaligned", name=name, dtype=field.dtype.name, offset=field.offset)
        raise unit.typing_error(node, what, fact("advice.align"))
    return field


def _fields(record: Scalar) -> Any:
    return fact("advice.fields", names=", ".join(record.names or ()))


def compile_field(unit: Unit, node: ast.expr, base: Expression, name: str) -> Expression:
    """Compile a field of a record, or that of all records of an array.

    Raises:
        Refused: there is no such field, or it is not emulated.
    """
    kind = base.type
    assert isinstance(kind, (Array, RecordType))  # the caller has looked
    field = find_field(unit, node, kind.dtype, name)
    if isinstance(kind, Array):
        if kind.dtype.itemsize % field.dtype.alignment:
            what = fact("record.unaligned", name=name, dtype=field.dtype.name, offset=field.offset)
            raise unit.typing_error(node, what, fact("advice.align"))
        if not kind.dtype.isalignedstruct:
            _warn_packed(unit, node, kind, field)
        ndim = kind.ndim + len(field.shape)
        part: Type = Array(field.dtype, ndim, kind.space, kind.writable)
        select = partial(_of_array, field)
    elif field.shape:
        part = Array(field.dtype, len(field.shape), kind.space, kind.writable)
        select = partial(_of_record, field)
    elif field.dtype.names:
        part = RecordType(field.dtype, kind.space, kind.writable)
        select = partial(_of_record, field)
    else:
        return nodes.Load(field.dtype, field_place(unit, node, base, field))
    run = partial(change_each, select)
    return Perform(part, f"field {name}", run, (base,), unit.site(node), alone=True)


def _of_array(field: RecordField, view: View, _mask: Mask) -> View:
    return select_array(view, field)


def _of_record(field: RecordField, view: View, _mask: Mask) -> View:
    return select_in_record(view, field)


def change_each(
    change: Callable[[View, Mask], View], here: ExecutionPoint, array: ArrayValue
) -> ArrayValue:
    """Change the array of each thread, for example to a part of it."""
    return change_arrays(array, here.mask, change)


def field_place(unit: Unit, node: ast.expr, base: Expression, field: RecordField) -> FieldOf:
    """Compile the place of a number in each thread's record."""
    assert isinstance(base.type, RecordType)  # the caller has looked
    by_byte = not base.type.dtype.isalignedstruct
    if by_byte:
        _warn_packed(unit, node, base.type, field)
    return FieldOf(field.dtype, base, field, unit.site(node), by_byte)


def _warn_packed(unit: Unit, node: ast.expr, kind: Array | RecordType, field: RecordField) -> None:
    """Warn, once for each dtype, of fields that are accessed byte by byte."""
    size = field.dtype.itemsize
    number = size > 1 and not field.dtype.names
    if not number or kind.space == "local" or kind.dtype in unit.program.packed:
        return
    unit.program.packed.add(kind.dtype)
    what = fact("finding.packed-record", dtype=field.dtype.name, size=size)
    unit.warn(node, "packed record", what, fact("advice.align"))


def compile_record(
    unit: Unit, node: ast.expr, base: Expression, indices: Sequence[Expression]
) -> Expression:
    """Compile an element of an array of records: a variable of it names the same memory."""
    kind = base.type
    assert isinstance(kind, Array)  # the caller has looked
    record = RecordType(kind.dtype, kind.space, kind.writable)
    return Perform(record, "record", take_record, (base, *indices), unit.site(node), alone=True)


def take_record(here: ExecutionPoint, array: ArrayValue, *indices: Value) -> ArrayValue:
    """Return a record of each thread's array."""

    def find(view: View, lanes: Mask) -> View:
        return find_record(view, indices, here._replace(mask=lanes))

    return change_arrays(array, here.mask, find)


def compile_copy(unit: Unit, node: ast.expr, target: Expression, value: Expression) -> Expression:
    """Compile what copies a whole record into another one.

    Raises:
        NotTyped: the value is not a record with the same fields.
    """
    assert isinstance(target.type, RecordType)  # the caller has looked
    record = target.type.dtype
    if not isinstance(value.type, RecordType) or value.type.dtype != record:
        raise unit.typing_error(node, fact("record.not-same"), _fields(record))
    copy = partial(_copy, record)
    return Perform(Nothing(), "copy", copy, (value, target), unit.site(node))


def _copy(record: Scalar, here: ExecutionPoint, value: Value, target: Value) -> None:
    copy_record(value, target, record, here)


def compile_record_fill(
    unit: Unit, node: ast.expr, part: Expression, value: Expression
) -> Expression:
    """Compile what copies a record into every element of a part of an array.

    Raises:
        NotTyped: the array does not have records with the same fields.
    """
    assert isinstance(part.type, Array)  # the caller has looked
    assert isinstance(value.type, RecordType)  # the caller has looked
    record, ndim = part.type.dtype, part.type.ndim
    if value.type.dtype != record:
        raise unit.typing_error(node, fact("record.not-same"))
    fill = partial(_fill, record, ndim)
    return Perform(Nothing(), "fill", fill, (value, part), unit.site(node))


def _fill(record: Scalar, ndim: int, here: ExecutionPoint, value: Value, array: Value) -> None:
    for index, there, _ in each_element(array, ndim, here):
        at = [uniform(i, INT64) for i in index]
        copy_record(value, take_record(there, array, *at), record, there)
