"""What a `for` goes through: how many elements there are, and each by its number.

`enumerate` and `zip` are made of others. A `Series` is evaluated once, when its loop begins.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import numpy as np

from grader.simt.chunk import Here
from grader.simt.extents import length_of
from grader.simt.intrinsics.calling import Maker
from grader.simt.masks import Mask
from grader.simt.typed import Frame, Typed, Value, as_type
from grader.simt.types import INT64, Array, Range, Series, Tuple, Type, described, joined, number
from grader.simt.views import View

Element = Callable[[Frame, Mask, Value], Value]
Begun = tuple[Value, Element]
"""How many elements, and what gives one by its number, (1, 1)."""


def series(maker: Maker, node: ast.expr, typed: Typed) -> Typed:
    """Anything that a loop can go through, as a `Series`.

    Raises:
        Refused: it is no such thing.
    """
    match typed.type:
        case Series():
            return typed
        case Range(dtype):
            return Typed(Series(dtype), _of_range(typed))
        case Tuple(items):
            kind = one_kind(maker, node, items)
            return Typed(Series(kind), _of_tuple(typed, kind))
        case Array(dtype=dtype, ndim=1):
            return Typed(Series(dtype), _of_array(maker, node, typed))
        case other:
            what = f"a loop over {described(other)} is not available"
            raise maker.refused(node, what, "write for i in range(n):")


def one_kind(maker: Maker, node: ast.expr, items: Sequence[Type]) -> Type:
    """The type of all parts of a tuple.

    Raises:
        NotTyped: there are several.
    """
    kind: Type = items[0] if items else INT64
    for one in items:
        kind = joined(kind, one)
    if len({number(one) or one for one in items}) > 1:
        raise maker.not_typed(node, "the tuple has several types", "write the loop out")
    return number(kind) or kind


def enumerated(typed: Typed, start: Callable[[Frame, Mask], Value]) -> Typed:
    """Pairs of a number and an element."""
    assert isinstance(typed.type, Series)  # noqa: S101 — the caller has made it one

    def begin(frame: Frame, mask: Mask) -> Begun:
        count, element = typed.evaluate(frame, mask)
        first = start(frame, mask)
        return count, lambda f, m, at: (first + at, element(f, m, at))

    return Typed(Series(Tuple((INT64, typed.type.kind))), begin)


def zipped(parts: Sequence[Typed]) -> Typed:
    """Tuples of an element of each, as long as all have one."""
    kinds = tuple(one.type.kind for one in parts if isinstance(one.type, Series))

    def begin(frame: Frame, mask: Mask) -> Begun:
        begun = [one.evaluate(frame, mask) for one in parts]
        count = begun[0][0]
        for other, _ in begun[1:]:
            count = np.minimum(count, other)
        return count, lambda f, m, at: tuple(element(f, m, at) for _, element in begun)

    return Typed(Series(Tuple(kinds)), begin)


def range_of(typed: Typed, frame: Frame, mask: Mask) -> tuple[Value, Value, Value]:
    """First number, step and how many of a `range`."""
    start, stop, step = typed.evaluate(frame, mask)
    step = np.where(step == 0, 1, step)  # Numba raises, which nobody sees on a device
    wide = [one.astype(np.int64) for one in (start, stop, step)]
    return start, step, np.maximum(0, -((wide[0] - wide[1]) // wide[2]))


def _of_range(typed: Typed) -> Callable[[Frame, Mask], Begun]:
    def begin(frame: Frame, mask: Mask) -> Begun:
        start, step, count = range_of(typed, frame, mask)
        return count, lambda _f, _m, at: (start + at * step).astype(start.dtype)

    return begin


def _of_tuple(typed: Typed, kind: Type) -> Callable[[Frame, Mask], Begun]:
    def begin(frame: Frame, mask: Mask) -> Begun:
        parts = typed.evaluate(frame, mask)
        count = np.array([[len(parts)]])
        return count, lambda _f, _m, at: as_type(parts[int(at[0, 0])], kind)

    return begin


def _of_array(maker: Maker, node: ast.expr, typed: Typed) -> Callable[[Frame, Mask], Begun]:
    site = maker.site(node)

    def begin(frame: Frame, mask: Mask) -> Begun:
        view: View = typed.evaluate(frame, mask)

        def element(frame: Frame, mask: Mask, at: Value) -> Value:
            flat = at * view.strides[0] + view.offset
            return view.buffer.load(flat, Here(frame.chunk, mask, site))

        return length_of(view), element

    return begin
