"""Compiles brackets: elements and slices of arrays, items of tuples."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from grader.facts import fact
from grader.simt.compiler import records
from grader.simt.compiler.globals import compile_held
from grader.simt.compiler.raising import check_values, compile_raise
from grader.simt.compiler.unit import ExpressionForms, Unit
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.typed import Evaluate, Frame, TypedValue, Value, cast, item, unpack
from grader.simt.memory.choices import change_arrays
from grader.simt.memory.reaching import Reached, reach
from grader.simt.memory.views import (
    Extent,
    View,
    check_index,
    confine,
    report_outside,
    report_wrapped,
    slice_view,
)
from grader.simt.reading.types import (
    INT64,
    Array,
    Constant,
    Namespace,
    Nothing,
    Record,
    Scalar,
    Tuple,
    describe,
    number,
)


class _Part(NamedTuple):
    """A slice along one axis."""

    start: Evaluate | None
    stop: Evaluate | None
    step: int


Index = Evaluate | _Part


class Place(NamedTuple):
    """A number in memory that can be read and written: an element, or a field of a record."""

    dtype: Scalar
    find: records.Find


def _compile_element(unit: Unit, node: ast.Subscript) -> TypedValue:
    """Compile `a[i]`, `a[i, j]`, `a[i:j]`, `a["x"]` and `t[0]`."""
    base = unit.compile_expression(node.value)
    if isinstance(base.type, Tuple):
        return _compile_tuple_part(unit, node, base)
    if isinstance(base.type, Namespace) and isinstance(node.slice, ast.Constant):
        return compile_held(unit, node, base.type.value, str(node.slice.value))
    name = records.field_name(unit, node, base.type)
    if name is not None:
        return records.compile_field(unit, node, base, name)
    if not isinstance(base.type, Array):
        raise unit.refusal(node, fact("python.cannot-index", type=describe(base.type)))
    indices = _compile_indices(unit, node, base.type)
    fixed = tuple(index for index in indices if not isinstance(index, _Part))
    if len(fixed) < base.type.ndim:
        return _compile_view(unit, node, base, base.type, indices)
    if base.type.dtype.names:
        return records.compile_record(unit, node, base, fixed)
    place = _element_place(unit, node, base, base.type.dtype, fixed)
    zero = np.zeros((1, 1), dtype=place.dtype)

    def load(frame: Frame, mask: Any) -> Value:
        cells = place.find(frame, mask)
        return zero if cells is None else cells.load()

    return TypedValue(place.dtype, load)


def compile_place(unit: Unit, node: ast.Subscript | ast.Attribute) -> Place | TypedValue:
    """Compile the place of a number that is written, or a whole record."""
    base = unit.compile_expression(node.value)
    if isinstance(node, ast.Attribute):
        name: str | None = node.attr
    else:
        name = records.field_name(unit, node, base.type)
    if isinstance(base.type, Record) and name is not None:
        return _compile_field_place(unit, node, base, name)
    if isinstance(node, ast.Attribute) or name is not None or not isinstance(base.type, Array):
        raise unit.refusal(node, fact("python.cannot-write", type=describe(base.type)))
    if not base.type.writable:
        raise unit.refusal(node, fact("python.constant-array"))
    unit.note_store(node.value, base.type)
    indices = _compile_indices(unit, node, base.type)
    fixed = tuple(index for index in indices if not isinstance(index, _Part))
    if len(fixed) < base.type.ndim:
        raise unit.refusal(node, fact("python.partial-write"))
    if base.type.dtype.names:
        return records.compile_record(unit, node, base, fixed)
    return _element_place(unit, node, base, base.type.dtype, fixed)


def _compile_field_place(
    unit: Unit, node: ast.expr, base: TypedValue, name: str
) -> Place | TypedValue:
    """Compile a field that is written: a number, or a record within the record."""
    assert isinstance(base.type, Record)  # the caller has looked
    if not base.type.writable:
        raise unit.refusal(node, fact("python.constant-array"))
    unit.note_store(node, base.type)
    field = records.find_field(unit, node, base.type.dtype, name)
    if field.shape:
        raise unit.refusal(node, fact("record.array-field", name=name))
    if field.dtype.names:
        return records.compile_field(unit, node, base, name)
    return Place(field.dtype, records.find_number(unit, node, base, field))


def _element_place(
    unit: Unit, node: ast.AST, base: TypedValue, dtype: Scalar, indices: Sequence[Evaluate]
) -> Place:
    array, site = base.evaluate, unit.site(node)

    def find(frame: Frame, mask: Any) -> Reached | None:
        whole = array(frame, mask)
        given = [index(frame, mask) for index in indices]
        return reach(whole, given, ExecutionPoint(frame.chunk, mask, site))

    return Place(dtype, find)


def compile_part(unit: Unit, node: ast.Subscript) -> TypedValue | None:
    """Compile a part of an array that is written at once; return None for a single element."""
    base = unit.compile_expression(node.value)
    axes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if not isinstance(base.type, Array) or not any(isinstance(axis, ast.Slice) for axis in axes):
        return None
    if not base.type.writable:
        raise unit.refusal(node, fact("python.constant-array"))
    unit.note_store(node.value, base.type)
    return _compile_view(unit, node, base, base.type, _compile_indices(unit, node, base.type))


def compile_store(place: Place, value: Evaluate) -> Callable[[Frame, Any], None]:
    """Compile what writes a value, of the place's dtype, to it."""

    def store(frame: Frame, mask: Any) -> None:
        given = value(frame, mask)
        cells = place.find(frame, mask)
        if cells is not None:
            cells.store(given)

    return store


def compile_update(
    place: Place, change: Callable[[TypedValue], Evaluate]
) -> Callable[[Frame, Any], None]:
    """Compile what reads a place and writes what `change` returns; the place is found once."""
    key = object()
    new = change(TypedValue(place.dtype, lambda frame, _mask: frame.values[key]))

    def update(frame: Frame, mask: Any) -> None:
        cells = place.find(frame, mask)
        if cells is None:
            return
        frame.values[key] = cells.load()
        cells.store(new(frame, cells.mask))

    return update


def compile_subscripts(unit: Unit, node: ast.AST, typed: Sequence[TypedValue]) -> list[Evaluate]:
    """Compile integers, and tuples of them, as indices."""
    indices: list[Evaluate] = []
    for index in typed:
        if isinstance(index.type, Tuple):
            indices += compile_subscripts(unit, node, unpack(index, index.type))
            continue
        dtype = number(index.type)
        if dtype is None or dtype.kind not in "iu":
            raise unit.typing_error(node, fact("python.index-type", type=describe(index.type)))
        indices.append(index.evaluate if dtype.kind == "u" else cast(index, INT64))
    return indices


def _compile_indices(unit: Unit, node: ast.Subscript, kind: Array) -> list[Index]:
    written = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    indices: list[Index] = []
    for axis in written:
        if isinstance(axis, ast.Slice):
            indices.append(_compile_slice(unit, axis))
        elif isinstance(axis, ast.Constant) and axis.value is ...:
            raise unit.refusal(axis, fact("python.ellipsis"))
        else:
            indices += compile_subscripts(unit, axis, [unit.compile_expression(axis)])
    if len(indices) > kind.ndim:
        what = fact("simt.index-count", count=len(indices), type=describe(kind))
        raise unit.typing_error(node, what)
    return indices


def _compile_slice(unit: Unit, node: ast.Slice) -> _Part:
    step = 1
    if node.step is not None:
        typed = unit.compile_expression(node.step)
        if not isinstance(typed.type, Constant) or typed.type.value == 0:
            raise unit.refusal(node, fact("python.slice-step"))
        step = typed.type.value
    return _Part(_compile_bound(unit, node.lower), _compile_bound(unit, node.upper), step)


def _compile_bound(unit: Unit, node: ast.expr | None) -> Evaluate | None:
    if node is None:
        return None
    typed, _ = unit.compile_number(node)
    return None if isinstance(typed.type, Nothing) else cast(typed, INT64)


def _compile_view(
    unit: Unit, node: ast.AST, base: TypedValue, kind: Array, indices: Sequence[Index]
) -> TypedValue:
    """Compile a part of an array."""
    site = unit.site(node)
    fixed = sum(not isinstance(index, _Part) for index in indices)
    part = Array(kind.dtype, kind.ndim - fixed, kind.space, kind.writable)

    def view(frame: Frame, mask: Any) -> Value:
        whole = base.evaluate(frame, mask)
        given = [_evaluate_index(index, frame, mask) for index in indices]

        def slice_part(view: View, lanes: Any) -> View:
            return confine(
                _slice_view(view, given, ExecutionPoint(frame.chunk, lanes, site)), lanes
            )

        return change_arrays(whole, mask, slice_part)

    return TypedValue(part, view)


def _compile_tuple_part(unit: Unit, node: ast.Subscript, base: TypedValue) -> TypedValue:
    """Compile `t[0]`."""
    assert isinstance(base.type, Tuple)  # the caller has looked
    count = len(base.type.items)
    index = unit.compile_expression(node.slice)
    if isinstance(index.type, Constant):
        place = index.type.value
        if not -count <= place < count:
            raise unit.refusal(node, fact("python.tuple-index", n=count))
        return item(base, place % count)
    kinds = set(map(number, base.type.items))
    dtype = kinds.pop()
    if kinds or dtype is None:
        raise unit.refusal(node, fact("python.mixed-tuple-index"))
    where = cast(index, INT64)
    if unit.function.debug:
        fail = compile_raise(unit.function, node, IndexError, "tuple index out of range")
        where = check_values(where, lambda values: (values < -count) | (values >= count), fail)

    def choose(frame: Frame, mask: Any) -> Value:
        parts = base.evaluate(frame, mask)
        wanted = where(frame, mask)
        wanted = np.where(wanted < 0, wanted + count, wanted)
        value = parts[0]
        for place in range(1, count):
            value = np.where(wanted == place, parts[place], value)
        return value

    return TypedValue(dtype, choose)


class _Ends(NamedTuple):
    """A slice whose bounds were evaluated."""

    start: Value
    stop: Value
    step: int


def _evaluate_index(index: Index, frame: Frame, mask: Any) -> Value | _Ends:
    if not isinstance(index, _Part):
        return index(frame, mask)
    start, stop = (
        None if bound is None else bound(frame, mask) for bound in (index.start, index.stop)
    )
    return _Ends(start, stop, index.step)


def _slice_view(view: View, given: Sequence[Value | _Ends], here: ExecutionPoint) -> View:
    """Cut a part out of an array: one axis per slice."""
    axis = 0
    for index in given:
        if isinstance(index, _Ends):
            start, stop = _clip(index, view.shape[axis])
            view = slice_view(view, axis, start, stop, index.step)
            axis += 1
        else:
            view = _fix_axis(view, axis, index, here)
    return view


def _as_extent(value: Value) -> Extent:
    return int(value[0, 0]) if value.size == 1 else value


def _clip(ends: _Ends, size: Extent) -> tuple[Extent, Extent]:
    """Clip start and stop to an axis, as Python's slices do."""
    lowest, most = (0, size) if ends.step > 0 else (-1, size - 1)
    defaults = (lowest, most) if ends.step > 0 else (most, lowest)
    bounds: list[Extent] = []
    for value, default in zip((ends.start, ends.stop), defaults, strict=True):
        if value is None:
            bounds.append(default)
            continue
        inside = np.clip(np.where(value < 0, value + size, value), lowest, most)
        bounds.append(_as_extent(inside))
    return bounds[0], bounds[1]


def _fix_axis(view: View, axis: int, index: Value, here: ExecutionPoint) -> View:
    """Remove an axis by fixing its index; out of bounds, the view has no elements."""
    whole, beyond, wrapped = check_index(index, view.shape[axis], here)
    shape = [*view.shape[:axis], *view.shape[axis + 1 :]]
    if wrapped is not None:
        report_wrapped(view, [index], wrapped, here, axis)
    if beyond is not None:
        report_outside(view, [index], beyond, here, axis)
        shape = [np.where(beyond, 0, size) for size in shape]
    offset = view.offset + _as_extent(whole) * view.strides[axis]
    strides = (*view.strides[:axis], *view.strides[axis + 1 :])
    return View(view.buffer, offset, tuple(shape), strides)


FORMS: ExpressionForms = {ast.Subscript: _compile_element}
