"""Compiles what a `for` iterates over: the number of elements, and each by its number.

`enumerate` and `zip` are made of other series. What a series is made of is evaluated once, as its
loop begins.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.checks.counters import Site
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.conversion import as_type
from grader.simt.machine.frame import Value
from grader.simt.memory.choices import change_arrays
from grader.simt.memory.extents import length_of
from grader.simt.memory.views import View
from grader.simt.numba.records import take_record
from grader.simt.numba.typed import Iteration, hold, pack
from grader.simt.numba.unit import Unit
from grader.simt.program import nodes
from grader.simt.program.nodes import Apply, Element, Expression, Operate, Operation, Perform
from grader.simt.program.types import (
    INT64,
    Array,
    Range,
    RecordType,
    Series,
    Tuple,
    Type,
    describe,
    join_types,
    number,
)


def as_series(unit: Unit, node: ast.expr, typed: Expression) -> Iteration:
    """Turn anything that a loop can iterate over into a series.

    Raises:
        Refused: a loop cannot iterate over it.
    """
    if isinstance(typed, Iteration):
        return typed
    begin, whole = hold(typed)
    match typed.type:
        case Range(dtype):
            bounds, each = hold(range_bounds(typed, dtype))
            count = nodes.Part(INT64, each, 2)
            return Iteration(
                Series(dtype),
                tuple(bounds),
                count,
                lambda at: Apply(dtype, "nth", _nth, (each, at)),
            )
        case Tuple(items):
            kind = common_type(unit, node, items)

            def take(parts: Value, at: Value) -> Value:
                return as_type(parts[int(at[0, 0])], kind)

            size = Apply(INT64, "length", _count_items, (whole,))
            return Iteration(
                Series(kind), tuple(begin), size, lambda at: Apply(kind, "item", take, (whole, at))
            )
        case Array(ndim=ndim) as array if ndim:
            return _of_array(array, tuple(begin), whole, unit.site(node))
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


def enumerate_series(series: Iteration, start: Expression) -> Iteration:
    """Pair each element with a number."""
    first_set, first = hold(start)

    def element(at: Expression) -> Expression:
        return pack([Operate(INT64, "+", (first, at)), series.element(at)])

    kind = Series(Tuple((INT64, kind_of(series))))
    return Iteration(kind, (*series.begin, *first_set), series.count, element)


def zip_series(parts: Sequence[Iteration]) -> Iteration:
    """Combine an element of each series into a tuple, as long as all have one."""
    count = parts[0].count
    for other in parts[1:]:
        count = Apply(INT64, "least", np.minimum, (count, other.count))
    begin = tuple(operation for part in parts for operation in part.begin)
    kind = Series(Tuple(tuple(map(kind_of, parts))))
    return Iteration(kind, begin, count, lambda at: pack([part.element(at) for part in parts]))


def kind_of(series: Iteration) -> Type:
    """Return the type of the elements."""
    assert isinstance(series.type, Series)  # as made here
    return series.type.kind


def range_bounds(typed: Expression, dtype: Any) -> Expression:
    """Return the first number of a `range`, its step and its length, as a tuple."""
    return Apply(Tuple((dtype, dtype, INT64)), "range bounds", _range_bounds, (typed,))


def _range_bounds(bounds: Value) -> Value:
    start, stop, step = bounds
    step = np.where(step == 0, 1, step)  # Numba raises, which is invisible on a device
    wide = [bound.astype(np.int64) for bound in (start, stop, step)]
    return start, step, np.maximum(0, -((wide[0] - wide[1]) // wide[2]))


def _nth(bounds: Value, at: Value) -> Value:
    start, step, _ = bounds
    return (start + at * step).astype(start.dtype)


def _count_items(parts: Value) -> Value:
    return np.array([[len(parts)]])


def _of_array(
    kind: Array, begin: tuple[Operation, ...], whole: Expression, site: Site
) -> Iteration:
    """Iterate along the first axis of an array: elements, records, or rows."""
    count = Apply(INT64, "length", length_of, (whole,))
    if kind.ndim > 1:
        row = Array(kind.dtype, kind.ndim - 1, kind.space, kind.writable)
        return Iteration(
            Series(row),
            begin,
            count,
            lambda at: Perform(row, "row", _row, (whole, at), site, alone=True),
        )
    if kind.dtype.names:
        record = RecordType(kind.dtype, kind.space, kind.writable)
        return Iteration(
            Series(record),
            begin,
            count,
            lambda at: Perform(record, "record", take_record, (whole, at), site, alone=True),
        )
    return Iteration(
        Series(kind.dtype),
        begin,
        count,
        lambda at: nodes.Load(kind.dtype, Element(kind.dtype, whole, (at,), site)),
    )


def _row(here: ExecutionPoint, array: Value, at: Value) -> Value:
    def row(view: View, _mask: Any) -> View:
        offset = view.offset + int(at[0, 0]) * view.strides[0]
        return View(view.buffer, offset, view.shape[1:], view.strides[1:])

    return change_arrays(array, here.mask, row)
