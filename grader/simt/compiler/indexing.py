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
    Slice,
    Text,
    Tuple,
    describe,
    number,
)

_STEP = 2
"""The place of a slice's step, after start and stop."""


class _Part(NamedTuple):
    """A slice along one axis: its start, stop and step, those that it has."""

    bounds: Callable[[Frame, Any], tuple[Value | None, Value | None, Value | None]]


class _NewAxis(NamedTuple):
    """An axis of one element that the array does not have: `None` between brackets."""


_WHOLE = _Part(lambda _frame, _mask: (None, None, None))
_NEW_AXIS = _NewAxis()
Index = Evaluate | _Part | _NewAxis


class Place(NamedTuple):
    """A number in memory that can be read and written: an element, or a field of a record."""

    dtype: Scalar
    find: records.Find


def _compile_element(unit: Unit, node: ast.Subscript) -> TypedValue:
    """Compile `a[i]`, `a[i, j]`, `a[i:j]`, `a["x"]` and `t[0]`."""
    base = unit.compile_expression(node.value)
    if isinstance(base.type, Tuple):
        return _compile_tuple_part(unit, node, base)
    if isinstance(base.type, Text):
        return _compile_character(unit, node, base.type.value)
    if isinstance(base.type, Namespace) and isinstance(node.slice, ast.Constant):
        return compile_held(unit, node, base.type.value, str(node.slice.value))
    name = records.field_name(unit, node, base.type)
    if name is not None:
        return records.compile_field(unit, node, base, name)
    if not isinstance(base.type, Array):
        raise unit.refusal(node, fact("python.cannot-index", type=describe(base.type)))
    indices = _compile_indices(unit, node, base.type)
    fixed = _of_element(indices, base.type)
    if fixed is None:
        return _compile_view(unit, node, base, base.type, indices)
    if base.type.dtype.names:
        return records.compile_record(unit, node, base, fixed)
    place = _element_place(unit, node, base, base.type.dtype, fixed)
    zero = np.zeros((1, 1), dtype=place.dtype)

    def load(frame: Frame, mask: Any) -> Value:
        cells = place.find(frame, mask)
        return zero if cells is None else cells.load()

    return TypedValue(place.dtype, load)


def _of_element(indices: Sequence[Index], kind: Array) -> tuple[Evaluate, ...] | None:
    """Return the indices of an element; None where they give a part of the array."""
    fixed = tuple(index for index in indices if not isinstance(index, (_Part, _NewAxis)))
    return fixed if len(fixed) == kind.ndim == len(indices) else None


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
    fixed = _of_element(indices, base.type)
    if fixed is None:
        raise unit.typing_error(node, fact("python.partial-write"))
    if base.type.dtype.names:
        return records.compile_record(unit, node, base, fixed)
    return _element_place(unit, node, base, base.type.dtype, fixed)


def _compile_field_place(
    unit: Unit, node: ast.expr, base: TypedValue, name: str
) -> Place | TypedValue:
    """Compile a field that is written: a number, or an array or a record within the record."""
    assert isinstance(base.type, Record)  # the caller has looked
    if not base.type.writable:
        raise unit.refusal(node, fact("python.constant-array"))
    unit.note_store(node, base.type)
    field = records.find_field(unit, node, base.type.dtype, name)
    if field.shape or field.dtype.names:
        return records.compile_field(unit, node, base, name)
    return Place(field.dtype, records.find_number(unit, node, base, field))


def _element_place(
    unit: Unit, node: ast.Subscript, base: TypedValue, dtype: Scalar, indices: Sequence[Evaluate]
) -> Place:
    array, site = base.evaluate, unit.site(node)
    unit.note_index(site, node.slice)

    def find(frame: Frame, mask: Any) -> Reached | None:
        whole = array(frame, mask)
        given = [index(frame, mask) for index in indices]
        return reach(whole, given, ExecutionPoint(frame.chunk, mask, site))

    return Place(dtype, find)


def compile_part(unit: Unit, node: ast.Subscript) -> TypedValue | None:
    """Compile a part of an array that is written at once; return None for a single element."""
    base = unit.compile_expression(node.value)
    if not isinstance(base.type, Array):
        return None
    indices = _compile_indices(unit, node, base.type)
    if _of_element(indices, base.type) is not None:
        return None
    if not base.type.writable:
        raise unit.refusal(node, fact("python.constant-array"))
    unit.note_store(node.value, base.type)
    return _compile_view(unit, node, base, base.type, indices)


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
    dots: int | None = None
    for axis in written:
        if isinstance(axis, ast.Constant) and axis.value is ... and dots is None:
            dots = len(indices)
        else:
            indices += _compile_index(unit, axis)
    given = sum(not isinstance(index, _NewAxis) for index in indices)
    if given > kind.ndim:
        what = fact("simt.index-count", count=given, type=describe(kind))
        raise unit.typing_error(node, what)
    if dots is not None:
        indices[dots:dots] = [_WHOLE] * (kind.ndim - given)
    return indices


def _compile_index(unit: Unit, node: ast.expr) -> list[Index]:
    """Compile what stands between two commas in brackets."""
    if isinstance(node, ast.Slice):
        return [_part(compile_slice(unit, [node.lower, node.upper, node.step]))]
    unit.index = node
    typed = unit.compile_expression(node)
    if isinstance(typed.type, Slice):
        return [_part(typed)]
    if isinstance(typed.type, Nothing):
        return [_NEW_AXIS]
    if isinstance(typed.type, Array) and typed.type.ndim == 0:
        element = ast.Subscript(node, ast.Tuple([], ast.Load()), ast.Load())
        element = ast.fix_missing_locations(ast.copy_location(element, node))
        typed = unit.compile_expression(element)
    return list(compile_subscripts(unit, node, [typed]))


def _part(typed: TypedValue) -> _Part:
    return _Part(typed.evaluate)


def compile_slice(unit: Unit, written: Sequence[ast.expr | None]) -> TypedValue:
    """Compile start, stop and step of a slice, each an integer, `None`, or not written.

    Raises:
        NotTyped: one of them is something else, or a step that is a constant is 0.
    """
    bounds: list[Evaluate | None] = []
    for node in written:
        typed = TypedValue(Nothing()) if node is None else unit.compile_expression(node)
        if node is None or isinstance(typed.type, Nothing):
            bounds.append(None)
            continue
        if unit.dtype(node, typed.type).kind not in "iu":
            raise unit.typing_error(node, fact("python.index-type", type=describe(typed.type)))
        if len(bounds) == _STEP and typed.type == Constant(0):
            raise unit.typing_error(node, fact("python.slice-step"))
        bounds.append(cast(typed, INT64))
    has_start, has_stop, has_step = (bound is not None for bound in bounds)

    def evaluate(frame: Frame, mask: Any) -> Value:
        return tuple(None if bound is None else bound(frame, mask) for bound in bounds)

    return TypedValue(Slice((has_start, has_stop, has_step)), evaluate)


def _compile_view(
    unit: Unit, node: ast.AST, base: TypedValue, kind: Array, indices: Sequence[Index]
) -> TypedValue:
    """Compile a part of an array."""
    site = unit.site(node)
    fixed = sum(not isinstance(index, (_Part, _NewAxis)) for index in indices)
    more = sum(isinstance(index, _NewAxis) for index in indices)
    part = Array(kind.dtype, kind.ndim - fixed + more, kind.space, kind.writable)

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
    if isinstance(node.slice, ast.Slice):
        return _compile_tuple_slice(unit, node.slice, base, base.type)
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


def _compile_tuple_slice(unit: Unit, node: ast.Slice, base: TypedValue, kind: Tuple) -> TypedValue:
    """Compile `t[1:]`, whose bounds must be constants."""
    bounds: list[int | None] = []
    for bound in (node.lower, node.upper, node.step):
        index = Nothing() if bound is None else unit.compile_expression(bound).type
        if not isinstance(index, (Constant, Nothing)):
            raise unit.typing_error(node, fact("python.tuple-slice"))
        bounds.append(index.value if isinstance(index, Constant) else None)
    if bounds[_STEP] == 0:
        raise unit.typing_error(node, fact("python.slice-step"))
    part = slice(*bounds)
    return TypedValue(Tuple(kind.items[part]), lambda frame, mask: base.evaluate(frame, mask)[part])


def _compile_character(unit: Unit, node: ast.Subscript, text: str) -> TypedValue:
    """Compile a constant index into a string."""
    index = unit.compile_expression(node.slice).type
    if not isinstance(index, Constant) or not -len(text) <= index.value < len(text):
        raise unit.refusal(node, fact("python.text-operation"))
    return TypedValue(Text(text[index.value]))


class _Ends(NamedTuple):
    """A slice whose bounds were evaluated."""

    start: Value | None
    stop: Value | None
    step: Extent


def _evaluate_index(index: Index, frame: Frame, mask: Any) -> Value | _Ends | _NewAxis:
    if isinstance(index, _NewAxis):
        return index
    if not isinstance(index, _Part):
        return index(frame, mask)
    start, stop, step = index.bounds(frame, mask)
    if step is None:
        return _Ends(start, stop, 1)
    return _Ends(start, stop, _as_extent(np.where(step == 0, 1, step)))


def _slice_view(
    view: View, given: Sequence[Value | _Ends | _NewAxis], here: ExecutionPoint
) -> View:
    """Cut a part out of an array: one axis per slice."""
    axis = 0
    for index in given:
        if isinstance(index, _Ends):
            start, stop = _clip(index, view.shape[axis])
            view = slice_view(view, axis, start, stop, index.step)
            axis += 1
        elif isinstance(index, _NewAxis):
            shape = (*view.shape[:axis], 1, *view.shape[axis:])
            strides = (*view.strides[:axis], 0, *view.strides[axis:])
            view = View(view.buffer, view.offset, shape, strides)
            axis += 1
        else:
            view = _fix_axis(view, axis, index, here)
    return view


def _as_extent(value: Value) -> Extent:
    return int(value[0, 0]) if value.size == 1 else value


def _clip(ends: _Ends, size: Extent) -> tuple[Extent, Extent]:
    """Clip start and stop to an axis, as Python's slices do."""
    if not isinstance(ends.step, int):
        up, down = (_clip(ends._replace(step=step), size) for step in (1, -1))
        forward = ends.step > 0
        start, stop = (np.where(forward, *both) for both in zip(up, down, strict=True))
        return start, stop
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
