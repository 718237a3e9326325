"""A typed piece of a kernel, ready to be evaluated for all threads of a chunk at once.

`Typed.evaluate(frame, mask)` gives a value for each thread: (rows, columns) that broadcasts to the
chunk's (blocks, threads); what it gives for threads outside of the mask means nothing. Tuples are
Python tuples of such, arrays are `View`s.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.chunk import Chunk
from grader.simt.masks import Mask
from grader.simt.types import (
    BOOL,
    INT64,
    Array,
    Constant,
    Member,
    Nothing,
    Scalar,
    Tuple,
    Type,
    number,
)
from grader.simt.views import View

Vector = NDArray[Any]
Value = Any
"""A vector, a tuple of values, a `View`, or None."""


@dataclass(eq=False)
class Loop:
    """Threads that left the loop, and those that left this round of it."""

    broken: list[Mask] = field(default_factory=list)
    continued: list[Mask] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Paused:
    """Threads that wait in a loop for others, and how they go on from there.

    `resume` gives those that come out of the statement that paused them, as the statement does.
    """

    mask: Mask
    resume: Callable[[Frame], Mask | None]


@dataclass(eq=False)
class Frame:
    """A call while it runs: its variables and its loops.

    Attributes:
        paused: by the statement that was just executed; to be taken by the one around it.
    """

    chunk: Chunk
    values: dict[str, Value] = field(default_factory=dict)
    loops: list[Loop] = field(default_factory=list)
    result: Value = None
    paused: Paused | None = None


Evaluate = Callable[[Frame, Mask], Value]
Execute = Callable[[Frame, Mask], "Mask | None"]
"""A statement: from the threads that come to it to those that go on to the next one."""


def _nothing(_frame: Frame, _mask: Mask) -> Value:
    return None


class Typed(NamedTuple):
    """An expression: its type, and how to evaluate it."""

    type: Type
    evaluate: Evaluate = _nothing


def uniform(value: Any, dtype: Scalar) -> Vector:
    """One number for all threads."""
    if dtype.kind in "iu":  # wraps, where NumPy would refuse
        bits = 8 * dtype.itemsize
        value = int(value) & ((1 << bits) - 1)
        wrapped: Vector = np.array([[value]], dtype=f"u{dtype.itemsize}").view(dtype)
        return wrapped
    with np.errstate(all="ignore"):
        vector: Vector = np.array([[value]]).astype(dtype)
        return vector


def constant(value: Any, dtype: Scalar | None = None) -> Typed:
    """A number of the source; a whole one keeps its value in its type, unless `dtype` is given."""
    if dtype is None and isinstance(value, int) and not isinstance(value, bool):
        kind: Type = Constant(value)
        dtype = number(kind)
    else:
        dtype = dtype or np.dtype(type(value))
        kind = dtype
    assert dtype is not None  # noqa: S101 — a constant is a number
    vector = uniform(value, dtype)
    return Typed(kind, lambda _frame, _mask: vector)


def member(value: Enum) -> Typed:
    """A member of an enumeration."""
    vector = uniform(member_number(value), INT64)
    return Typed(Member(type(value)), lambda _frame, _mask: vector)


def member_number(value: Enum) -> int:
    """What stands for a member in a vector."""
    return int(value) if isinstance(value, int) else list(type(value)).index(value)


def converted(value: Vector, dtype: Scalar) -> Vector:
    """As a conversion on the device gives it: floats beyond an integer's range saturate."""
    if value.dtype == dtype:
        return value
    if dtype == BOOL:
        return np.not_equal(value, 0)
    if value.dtype.kind == "f" and dtype.kind in "iu":
        return _whole(value, dtype)
    return value.astype(dtype)


def _whole(value: Vector, dtype: Scalar) -> Vector:
    limits = np.iinfo(dtype)
    wide = value.astype(np.float64)
    result = wide.astype(dtype)
    low, high = float(limits.min), float(limits.max)
    wrong = ~((wide > low - 1) & (wide < high)) if dtype.itemsize < 8 else ~(abs(wide) < 2.0**63)  # noqa: PLR2004
    if wrong.any():
        result = np.where(wide >= high, limits.max, result).astype(dtype)
        result = np.where(wide <= low, limits.min, result).astype(dtype)
        result = np.where(np.isnan(wide), 0, result).astype(dtype)
    return result


def as_type(value: Value, kind: Type) -> Value:
    """A value as one of a joined type."""
    if isinstance(kind, Tuple):
        return tuple(as_type(one, part) for one, part in zip(value, kind.items, strict=True))
    dtype = number(kind)
    if dtype is None or value is None:
        return value
    return value if value.dtype == dtype else converted(value, dtype)


def zero_of(kind: Type) -> Value:
    """What a variable holds before it is assigned."""
    if isinstance(kind, Tuple):
        return tuple(zero_of(part) for part in kind.items)
    dtype = number(kind)
    return None if dtype is None else np.zeros((1, 1), dtype=dtype)


def cast(typed: Typed, dtype: Scalar) -> Evaluate:
    """Evaluates a number as one of another dtype."""
    if isinstance(typed.type, Constant):
        vector = converted(uniform(typed.type.value, number(typed.type) or dtype), dtype)
        return lambda _frame, _mask: vector
    evaluate = typed.evaluate
    if number(typed.type) == dtype:
        return evaluate
    return lambda frame, mask: converted(evaluate(frame, mask), dtype)


def merged(mask: Mask, new: Value, old: Value) -> Value:
    """The new value for the threads of the mask, the old one for the others."""
    if old is None or mask.lanes is None:
        return new
    if isinstance(new, tuple):
        return tuple(merged(mask, one, other) for one, other in zip(new, old, strict=True))
    if isinstance(new, View):
        return _merged_views(mask, new, old)
    if new is None:
        return None
    return np.where(mask.lanes, new, old)


def _merged_views(mask: Mask, new: View, old: View) -> View:
    if new.buffer is not old.buffer:
        raise NotImplementedError
    parts = [
        one if one is other else np.where(mask.full, one, other)
        for one, other in zip(
            (new.offset, *new.shape, *new.strides), (old.offset, *old.shape, *old.strides),
            strict=True,
        )
    ]  # fmt: skip
    ndim = len(new.shape)
    whole: Any = [
        part if isinstance(part, int) or part.size > 1 else int(part[0, 0]) for part in parts
    ]
    return View(new.buffer, whole[0], tuple(whole[1 : 1 + ndim]), tuple(whole[1 + ndim :]))


def is_value(kind: Type) -> bool:
    """Whether a variable can hold it."""
    return number(kind) is not None or isinstance(kind, (Array, Tuple, Nothing, Member))


def packed(parts: list[Typed]) -> Typed:
    """Several expressions as a tuple."""
    kind = Tuple(tuple(part.type for part in parts))
    return Typed(kind, lambda frame, mask: tuple(part.evaluate(frame, mask) for part in parts))


def unpacked(typed: Typed, kind: Tuple) -> list[Typed]:
    """The parts of a tuple; it is evaluated anew whenever one of them is asked for again."""
    kept: list[Any] = []
    asked: set[int] = set()

    def part(place: int) -> Evaluate:
        def evaluate(frame: Frame, mask: Mask) -> Value:
            if not kept or place in asked:
                kept[:] = [typed.evaluate(frame, mask)]
                asked.clear()
            asked.add(place)
            return kept[0][place]

        return evaluate

    return [Typed(one, part(place)) for place, one in enumerate(kind.items)]
