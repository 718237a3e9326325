"""Compiles brackets: elements and slices of arrays, items of tuples."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import partial
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from grader.facts import fact
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.masks import Mask
from grader.simt.memory.choices import ArrayValue, change_arrays
from grader.simt.memory.views import (
    Extent,
    View,
    check_index,
    confine,
    report_outside,
    report_wrapped,
    slice_view,
)
from grader.simt.numba import records
from grader.simt.numba.globals import compile_held
from grader.simt.numba.raising import compile_raise, raise_where
from grader.simt.numba.typed import cast, item, unpack
from grader.simt.numba.unit import ExpressionForms, Unit
from grader.simt.program import nodes
from grader.simt.program.nodes import Apply, Element, Expression, FieldOf, Perform, Static
from grader.simt.program.types import (
    INT64,
    Array,
    Constant,
    Namespace,
    Nothing,
    RecordType,
    Scalar,
    Slice,
    Text,
    Tuple,
    describe,
    number,
)

_STEP = 2
"""The place of a slice's step, after start and stop."""


class _NewAxis(NamedTuple):
    """An axis of one element that the array does not have: `None` between brackets."""


_NEW_AXIS = _NewAxis()
Index = Expression | _NewAxis
"""An integer, a `Slice`, or a new axis."""


def _compile_element(unit: Unit, node: ast.Subscript) -> Expression:
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
    return nodes.Load(place.dtype, place)


def _of_element(indices: Sequence[Index], kind: Array) -> tuple[Expression, ...] | None:
    """Return the indices of an element; None where they give a part of the array."""
    fixed = tuple(index for index in indices if isinstance(index, Expression) and _is_whole(index))
    return fixed if len(fixed) == kind.ndim == len(indices) else None


def _is_whole(index: Expression) -> bool:
    return not isinstance(index.type, Slice)


def compile_place(
    unit: Unit, node: ast.Subscript | ast.Attribute
) -> Element | FieldOf | Expression:
    """Compile the place of a number that is written, or a whole record."""
    base = unit.compile_expression(node.value)
    if isinstance(node, ast.Attribute):
        name: str | None = node.attr
    else:
        name = records.field_name(unit, node, base.type)
    if isinstance(base.type, RecordType) and name is not None:
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
    unit: Unit, node: ast.expr, base: Expression, name: str
) -> Element | FieldOf | Expression:
    """Compile a field that is written: a number, or an array or a record within the record."""
    assert isinstance(base.type, RecordType)  # the caller has looked
    if not base.type.writable:
        raise unit.refusal(node, fact("python.constant-array"))
    unit.note_store(node, base.type)
    field = records.find_field(unit, node, base.type.dtype, name)
    if field.shape or field.dtype.names:
        return records.compile_field(unit, node, base, name)
    return records.field_place(unit, node, base, field)


def _element_place(
    unit: Unit, node: ast.Subscript, base: Expression, dtype: Scalar, indices: Sequence[Expression]
) -> Element:
    site = unit.site(node)
    return Element(dtype, base, tuple(indices), site)


def compile_part(unit: Unit, node: ast.Subscript) -> Expression | None:
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


def compile_subscripts(unit: Unit, node: ast.AST, typed: Sequence[Expression]) -> list[Expression]:
    """Compile integers, and tuples of them, as indices."""
    indices: list[Expression] = []
    for index in typed:
        if isinstance(index.type, Tuple):
            indices += compile_subscripts(unit, node, unpack(index, index.type))
            continue
        dtype = number(index.type)
        if dtype is None or dtype.kind not in "iu":
            raise unit.typing_error(node, fact("python.index-type", type=describe(index.type)))
        indices.append(cast(index, dtype if dtype.kind == "u" else INT64))
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
        whole = compile_slice(unit, [None, None, None])
        indices[dots:dots] = [whole] * (kind.ndim - given)
    return indices


def _compile_index(unit: Unit, node: ast.expr) -> list[Index]:
    """Compile what stands between two commas in brackets."""
    if isinstance(node, ast.Slice):
        return [compile_slice(unit, [node.lower, node.upper, node.step])]
    typed = unit.compile_expression(node)
    if isinstance(typed.type, Slice):
        return [typed]
    if isinstance(typed.type, Nothing):
        return [_NEW_AXIS]
    if isinstance(typed.type, Array) and typed.type.ndim == 0:
        element = ast.Subscript(node, ast.Tuple([], ast.Load()), ast.Load())
        element = ast.fix_missing_locations(ast.copy_location(element, node))
        typed = unit.compile_expression(element)
    return list(compile_subscripts(unit, node, [typed]))


def compile_slice(unit: Unit, written: Sequence[ast.expr | None]) -> Expression:
    """Compile start, stop and step of a slice, each an integer, `None`, or not written.

    Raises:
        NotTyped: one of them is something else, or a step that is a constant is 0.
    """
    bounds: list[Expression | None] = []
    for node in written:
        typed = Static(Nothing()) if node is None else unit.compile_expression(node)
        if node is None or isinstance(typed.type, Nothing):
            bounds.append(None)
            continue
        if unit.dtype(node, typed.type).kind not in "iu":
            raise unit.typing_error(node, fact("python.index-type", type=describe(typed.type)))
        if len(bounds) == _STEP and typed.type == Constant(0):
            raise unit.typing_error(node, fact("python.slice-step"))
        bounds.append(cast(typed, INT64))
    has_start, has_stop, has_step = there = tuple(bound is not None for bound in bounds)
    given = tuple(bound for bound in bounds if bound is not None)
    return Apply(Slice((has_start, has_stop, has_step)), "slice", partial(_fill_in, there), given)


def _fill_in(there: tuple[bool, ...], *given: Value) -> tuple[Value | None, ...]:
    """Return a slice's parts; None for those that it lacks."""
    left = iter(given)
    return tuple(next(left) if part else None for part in there)


def _compile_view(
    unit: Unit, node: ast.AST, base: Expression, kind: Array, indices: Sequence[Index]
) -> Expression:
    """Compile a part of an array."""
    given = tuple(index for index in indices if isinstance(index, Expression))
    fixed, more = sum(map(_is_whole, given)), len(indices) - len(given)
    part = Array(kind.dtype, kind.ndim - fixed + more, kind.space, kind.writable)
    new_axes = tuple(isinstance(index, _NewAxis) for index in indices)
    run = partial(_take_part, new_axes)
    return Perform(part, "part", run, (base, *given), unit.site(node), alone=True)


def _take_part(
    new_axes: tuple[bool, ...], here: ExecutionPoint, whole: ArrayValue, *given: Value
) -> ArrayValue:
    left = iter(given)
    indices = [_NEW_AXIS if new else _prepare_index(next(left)) for new in new_axes]

    def slice_part(view: View, lanes: Mask) -> View:
        return confine(_slice_view(view, indices, here._replace(mask=lanes)), lanes)

    return change_arrays(whole, here.mask, slice_part)


def _compile_tuple_part(unit: Unit, node: ast.Subscript, base: Expression) -> Expression:
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
        check = raise_where(lambda values: (values < -count) | (values >= count), fail)
        where = Perform(INT64, "within", check, (where,), unit.site(node))
    return Apply(dtype, "item", _choose_item, (base, where))


def _choose_item(parts: tuple[Value, ...], wanted: Value) -> Value:
    count = len(parts)
    wanted = np.where(wanted < 0, wanted + count, wanted)
    value = parts[0]
    for place in range(1, count):
        value = np.where(wanted == place, parts[place], value)
    return value


def _compile_tuple_slice(unit: Unit, node: ast.Slice, base: Expression, kind: Tuple) -> Expression:
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
    return Apply(Tuple(kind.items[part]), "items", itemgetter(part), (base,))


def _compile_character(unit: Unit, node: ast.Subscript, text: str) -> Expression:
    """Compile a constant index into a string."""
    index = unit.compile_expression(node.slice).type
    if not isinstance(index, Constant) or not -len(text) <= index.value < len(text):
        raise unit.refusal(node, fact("python.text-operation"))
    return Static(Text(text[index.value]))


class _Ends(NamedTuple):
    """A slice whose bounds were evaluated."""

    start: Value | None
    stop: Value | None
    step: Extent


def _prepare_index(value: Value) -> Value | _Ends:
    """Return an integer as it is, and a slice with a step that can be divided by."""
    if not isinstance(value, tuple):
        return value
    start, stop, step = value
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
