"""Compiles what a `for` iterates over: the number of elements, and each by its number.

`enumerate` and `zip` are made of other series. A `Series` is evaluated once, as its loop begins.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import numpy as np

from grader.facts import fact
from grader.simt.compiler.unit import Unit
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.typed import Frame, TypedValue, Value, as_type
from grader.simt.masks import Mask
from grader.simt.memory.choices import change_arrays
from grader.simt.memory.extents import length_of
from grader.simt.memory.reaching import reach
from grader.simt.memory.records import find_record
from grader.simt.memory.views import View
from grader.simt.reading.types import (
    INT64,
    Array,
    Range,
    Record,
    Series,
    Tuple,
    Type,
    describe,
    join_types,
    number,
)

Element = Callable[[Frame, Mask, Value], Value]
Begun = tuple[Value, Element]
"""How many elements, and what gives one by its number, (1, 1)."""


def as_series(unit: Unit, node: ast.expr, typed: TypedValue) -> TypedValue:
    """Turn anything that a loop can iterate over into a `Series`.

    Raises:
        Refused: a loop cannot iterate over it.
    """
    match typed.type:
        case Series():
            return typed
        case Range(dtype):
            return TypedValue(Series(dtype), _of_range(typed))
        case Tuple(items):
            kind = common_type(unit, node, items)
            return TypedValue(Series(kind), _of_tuple(typed, kind))
        case Array(dtype=dtype, ndim=1, space=space, writable=writable) if dtype.names:
            kind = Record(dtype, space, writable)
            return TypedValue(Series(kind), _of_records(unit, node, typed))
        case Array(dtype=dtype, ndim=1):
            return TypedValue(Series(dtype), _of_array(unit, node, typed))
        case Array(dtype, ndim, space, writable) if ndim > 1:
            return TypedValue(Series(Array(dtype, ndim - 1, space, writable)), _of_rows(typed))
        case other:
            raise unit.refusal(node, fact("python.loop-over", type=describe(other)))


def common_type(unit: Unit, node: ast.expr, items: Sequence[Type]) -> Type:
    """Return the type that all items of a tuple have.

    Raises:
        NotTyped: there are several.
    """
    kind: Type = items[0] if items else INT64
    for item in items:
        kind = join_types(kind, item)
    if len({number(item) or item for item in items}) > 1:
        raise unit.typing_error(node, fact("python.mixed-tuple"))
    return number(kind) or kind


def enumerate_series(typed: TypedValue, start: Callable[[Frame, Mask], Value]) -> TypedValue:
    """Pair each element with a number."""
    assert isinstance(typed.type, Series)

    def begin(frame: Frame, mask: Mask) -> Begun:
        count, element = typed.evaluate(frame, mask)
        first = start(frame, mask)
        return count, lambda f, m, at: (first + at, element(f, m, at))

    return TypedValue(Series(Tuple((INT64, typed.type.kind))), begin)


def zip_series(parts: Sequence[TypedValue]) -> TypedValue:
    """Combine an element of each series into a tuple, as long as all have one."""
    kinds = tuple(part.type.kind for part in parts if isinstance(part.type, Series))

    def begin(frame: Frame, mask: Mask) -> Begun:
        begun = [part.evaluate(frame, mask) for part in parts]
        count = begun[0][0]
        for other, _ in begun[1:]:
            count = np.minimum(count, other)
        return count, lambda f, m, at: tuple(element(f, m, at) for _, element in begun)

    return TypedValue(Series(Tuple(kinds)), begin)


def range_bounds(typed: TypedValue, frame: Frame, mask: Mask) -> tuple[Value, Value, Value]:
    """Return the first number of a `range`, its step and its length."""
    start, stop, step = typed.evaluate(frame, mask)
    step = np.where(step == 0, 1, step)  # Numba raises, which is invisible on a device
    wide = [bound.astype(np.int64) for bound in (start, stop, step)]
    return start, step, np.maximum(0, -((wide[0] - wide[1]) // wide[2]))


def _of_range(typed: TypedValue) -> Callable[[Frame, Mask], Begun]:
    def begin(frame: Frame, mask: Mask) -> Begun:
        start, step, count = range_bounds(typed, frame, mask)
        return count, lambda _f, _m, at: (start + at * step).astype(start.dtype)

    return begin


def _of_tuple(typed: TypedValue, kind: Type) -> Callable[[Frame, Mask], Begun]:
    def begin(frame: Frame, mask: Mask) -> Begun:
        parts = typed.evaluate(frame, mask)
        count = np.array([[len(parts)]])
        return count, lambda _f, _m, at: as_type(parts[int(at[0, 0])], kind)

    return begin


def _of_array(unit: Unit, node: ast.expr, typed: TypedValue) -> Callable[[Frame, Mask], Begun]:
    site = unit.site(node)

    def begin(frame: Frame, mask: Mask) -> Begun:
        array = typed.evaluate(frame, mask)

        def element(frame: Frame, mask: Mask, at: Value) -> Value:
            cells = reach(array, [at], ExecutionPoint(frame.chunk, mask, site))
            assert cells is not None
            return cells.load()

        return length_of(array), element

    return begin


def _of_records(unit: Unit, node: ast.expr, typed: TypedValue) -> Callable[[Frame, Mask], Begun]:
    site = unit.site(node)

    def begin(frame: Frame, mask: Mask) -> Begun:
        array = typed.evaluate(frame, mask)

        def element(frame: Frame, mask: Mask, at: Value) -> Value:
            def record(view: View, lanes: Mask) -> View:
                return find_record(view, [at], ExecutionPoint(frame.chunk, lanes, site))

            return change_arrays(array, mask, record)

        return length_of(array), element

    return begin


def _of_rows(typed: TypedValue) -> Callable[[Frame, Mask], Begun]:
    """Iterate along the first axis of an array that has several."""

    def begin(frame: Frame, mask: Mask) -> Begun:
        array = typed.evaluate(frame, mask)

        def element(_frame: Frame, mask: Mask, at: Value) -> Value:
            def row(view: View, _mask: Mask) -> View:
                offset = view.offset + int(at[0, 0]) * view.strides[0]
                return View(view.buffer, offset, view.shape[1:], view.strides[1:])

            return change_arrays(array, mask, row)

        return length_of(array), element

    return begin
