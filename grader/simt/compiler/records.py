"""Compiles records: a record of an array, fields of records, and the same field of all records."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from grader.did_you_mean import find_nearest, name_nearest
from grader.facts import fact
from grader.simt.compiler.refused import refuse_elements
from grader.simt.compiler.unit import Unit
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.typed import Evaluate, Frame, TypedValue, Value, uniform
from grader.simt.masks import Mask
from grader.simt.memory.choices import ArrayValue, change_arrays
from grader.simt.memory.extents import each_element
from grader.simt.memory.reaching import Reached
from grader.simt.memory.records import (
    Field,
    copy_record,
    field_of,
    find_record,
    reach_field,
    select_array,
    select_in_record,
)
from grader.simt.memory.views import View
from grader.simt.reading.types import INT64, SCALARS, Array, Constant, Record, Scalar, Text, Type

Find = Callable[[Frame, Mask], Reached | None]
"""Finds the cells of a number in memory, for the threads that have one."""


def field_name(unit: Unit, node: ast.Subscript, kind: Type) -> str | None:
    """Return the field that brackets name: `r["x"]`, `r[0]`, `a["x"]`; None if they name none.

    Raises:
        NotTyped: a record has nothing else in brackets.
    """
    if isinstance(kind, Array):
        if not kind.dtype.names or not isinstance(node.slice, (ast.Constant, ast.Name)):
            return None
    elif not isinstance(kind, Record):
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


def find_field(unit: Unit, node: ast.expr, record: Scalar, name: str) -> Field:
    """Return a field of a record.

    Raises:
        NotTyped: it has no such field, or one that is not aligned.
        Refused: its dtype is not emulated.
    """
    try:
        field = field_of(record, name)
    except KeyError:
        close = find_nearest(name, list(record.names or ()))
        instead = name_nearest(tuple(close)) if close else _fields(record)
        raise unit.typing_error(node, fact("record.no-field", name=name), instead) from None
    if field.dtype.names is None and (field.dtype not in SCALARS or not field.dtype.isnative):
        raise unit.refusal(node, *refuse_elements(field.dtype))
    if field.offset % field.dtype.alignment and not field.dtype.names:
        what = fact("record.unaligned", name=name, dtype=field.dtype.name, offset=field.offset)
        raise unit.typing_error(node, what, fact("advice.align"))
    return field


def _fields(record: Scalar) -> Any:
    return fact("advice.fields", names=", ".join(record.names or ()))


def compile_field(unit: Unit, node: ast.expr, base: TypedValue, name: str) -> TypedValue:
    """Compile a field of a record, or that of all records of an array.

    Raises:
        Refused: there is no such field, or it is not emulated.
    """
    kind = base.type
    assert isinstance(kind, (Array, Record))  # the caller has looked
    field = find_field(unit, node, kind.dtype, name)
    if isinstance(kind, Array):
        if kind.dtype.itemsize % field.dtype.alignment:
            what = fact("record.unaligned", name=name, dtype=field.dtype.name, offset=field.offset)
            raise unit.typing_error(node, what, fact("advice.align"))
        if not kind.dtype.isalignedstruct:
            _warn_packed(unit, node, kind, field)
        ndim = kind.ndim + len(field.shape)
        whole = Array(field.dtype, ndim, kind.space, kind.writable)
        return TypedValue(whole, _select(base.evaluate, field, select_array))
    part: Type | None = None
    if field.shape:
        part = Array(field.dtype, len(field.shape), kind.space, kind.writable)
    elif field.dtype.names:
        part = Record(field.dtype, kind.space, kind.writable)
    if part is not None:
        return TypedValue(part, _select(base.evaluate, field, select_in_record))
    find, zero = find_number(unit, node, base, field), np.zeros((1, 1), dtype=field.dtype)

    def load(frame: Frame, mask: Mask) -> Value:
        cells = find(frame, mask)
        return zero if cells is None else cells.load()

    return TypedValue(field.dtype, load)


def _select(
    base: Evaluate, field: Field, select: Callable[[View, Field], View]
) -> Callable[[Frame, Mask], ArrayValue]:
    return lambda frame, mask: change_arrays(
        base(frame, mask), mask, lambda view, _mask: select(view, field)
    )


def find_number(unit: Unit, node: ast.expr, base: TypedValue, field: Field) -> Find:
    """Compile what finds the cells of a number in each thread's record."""
    assert isinstance(base.type, Record)  # the caller has looked
    record, site = base.type.dtype, unit.site(node)
    by_byte = not record.isalignedstruct
    if by_byte:
        _warn_packed(unit, node, base.type, field)

    def find(frame: Frame, mask: Mask) -> Reached | None:
        here = ExecutionPoint(frame.chunk, mask, site)
        return reach_field(base.evaluate(frame, mask), field, here, by_byte=by_byte)

    return find


def _warn_packed(unit: Unit, node: ast.expr, kind: Array | Record, field: Field) -> None:
    """Warn, once for each dtype, of fields that are accessed byte by byte."""
    size = field.dtype.itemsize
    number = size > 1 and not field.dtype.names
    if not number or kind.space == "local" or kind.dtype in unit.program.packed:
        return
    unit.program.packed.add(kind.dtype)
    what = fact("finding.packed-record", dtype=field.dtype.name, size=size)
    unit.warn(node, "packed record", what, fact("advice.align"))


def compile_record(
    unit: Unit, node: ast.expr, base: TypedValue, indices: Sequence[Evaluate]
) -> TypedValue:
    """Compile an element of an array of records: a variable of it names the same memory."""
    assert isinstance(base.type, Array)  # the caller has looked
    kind, site = base.type, unit.site(node)

    def evaluate(frame: Frame, mask: Mask) -> ArrayValue:
        array = base.evaluate(frame, mask)
        given = [index(frame, mask) for index in indices]

        def find(view: View, lanes: Mask) -> View:
            return find_record(view, given, ExecutionPoint(frame.chunk, lanes, site))

        return change_arrays(array, mask, find)

    return TypedValue(Record(kind.dtype, kind.space, kind.writable), evaluate)


def compile_copy(
    unit: Unit, node: ast.expr, target: TypedValue, kind: Type
) -> Callable[[Frame, Mask, Value], None]:
    """Compile what copies a whole record into another one.

    Raises:
        NotTyped: the value is not a record with the same fields.
    """
    assert isinstance(target.type, Record)  # the caller has looked
    record, site = target.type.dtype, unit.site(node)
    if not isinstance(kind, Record) or kind.dtype != record:
        raise unit.typing_error(node, fact("record.not-same"), _fields(record))

    def copy(frame: Frame, mask: Mask, value: Value) -> None:
        here = ExecutionPoint(frame.chunk, mask, site)
        copy_record(value, target.evaluate(frame, mask), record, here)

    return copy


def compile_record_fill(
    unit: Unit, node: ast.expr, part: TypedValue, kind: Record
) -> Callable[[Frame, Mask, Value], None]:
    """Compile what copies a record into every element of a part of an array.

    Raises:
        NotTyped: the array does not have records with the same fields.
    """
    assert isinstance(part.type, Array)  # the caller has looked
    record, ndim, site = part.type.dtype, part.type.ndim, unit.site(node)
    if kind.dtype != record:
        raise unit.typing_error(node, fact("record.not-same"))

    def fill(frame: Frame, mask: Mask, value: Value) -> None:
        array = part.evaluate(frame, mask)
        for index, there, _ in each_element(array, ndim, ExecutionPoint(frame.chunk, mask, site)):
            at = [uniform(i, INT64) for i in index]

            def find(view: View, lanes: Mask, at: Any = at, there: Any = there) -> View:
                return find_record(view, at, there._replace(mask=lanes))

            copy_record(value, change_arrays(array, there.mask, find), record, there)

    return fill
