"""A typed piece of a kernel, ready to be evaluated for all threads of a chunk at once.

`TypedValue.evaluate(frame, mask)` returns a value for each thread: (rows, columns) that broadcasts
to the chunk's (blocks, threads); its values for threads outside the mask mean nothing. A tuple is a
Python tuple of such values, an array is a `View` or a `Choice`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.machine.chunk import Chunk
from grader.simt.masks import Mask
from grader.simt.reading.types import (
    BFLOAT16,
    BOOL,
    INT64,
    Array,
    Constant,
    Member,
    Nothing,
    Range,
    Record,
    Scalar,
    Slice,
    Tuple,
    Type,
    VectorType,
    number,
)

Vector = NDArray[Any]
Value = Any
"""A vector, a tuple of values, a `View`, a `Choice`, or None."""


@dataclass(eq=False)
class LoopMasks:
    """The threads that left a loop, and those that left its current iteration."""

    broken: list[Mask] = field(default_factory=list)
    continued: list[Mask] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class PausedThreads:
    """Threads that wait in a loop for others, and how they continue.

    `resume` returns the threads that leave the statement that paused them, as the statement does.
    """

    mask: Mask
    resume: Callable[[Frame], Mask | None]


@dataclass(eq=False)
class Frame:
    """A call while it runs: its variables and its loops.

    Attributes:
        values: by name of the variable, or by a key of their own for intermediate results.
        result: of the call; None before the first `return`.
        owns_result: True if nothing else refers to the vector of the result.
        paused: threads that the last statement paused; the statement around it takes them.
        depth: calls of a function by itself that are under way.
    """

    chunk: Chunk
    values: dict[Any, Value] = field(default_factory=dict)
    loops: list[LoopMasks] = field(default_factory=list)
    result: Value = None
    owns_result: bool = False
    paused: PausedThreads | None = None
    depth: int = 0


Evaluate = Callable[[Frame, Mask], Value]
Execute = Callable[[Frame, Mask], "Mask | None"]
"""A statement: from the threads that reach it to those that reach the next."""


def _nothing(_frame: Frame, _mask: Mask) -> Value:
    return None


class TypedNode(ast.expr):
    """An expression of the source that was compiled already."""

    def __init__(self, typed: TypedValue, node: ast.expr) -> None:
        super().__init__()
        self.typed = typed
        ast.copy_location(self, node)


class TypedValue(NamedTuple):
    """An expression: its type, and how to evaluate it.

    Attributes:
        fresh: True if each evaluation makes a vector that nothing else refers to.
    """

    type: Type
    evaluate: Evaluate = _nothing
    fresh: bool = False


def uniform(value: Any, dtype: Scalar) -> Vector:
    """Make a vector that holds one number for all threads."""
    if dtype.kind in "iu":  # wraps, where NumPy would refuse
        bits = 8 * dtype.itemsize
        value = int(value) & ((1 << bits) - 1)
        wrapped: Vector = np.array([[value]], dtype=f"u{dtype.itemsize}").view(dtype)
        return wrapped
    with np.errstate(all="ignore"):
        return convert(np.array([[value]]), dtype)


def constant(value: Any, dtype: Scalar | None = None) -> TypedValue:
    """Make a number of the source; an integer without `dtype` keeps its value in its type."""
    if dtype is None and isinstance(value, int) and not isinstance(value, bool):
        kind: Type = Constant(value)
        dtype = number(kind)
    else:
        dtype = dtype or np.dtype(type(value))
        kind = dtype
    assert dtype is not None
    vector = uniform(value, dtype)
    return TypedValue(kind, lambda _frame, _mask: vector)


def member(value: Enum) -> TypedValue:
    """Make a member of an enumeration."""
    vector = uniform(member_number(value), INT64)
    return TypedValue(Member(type(value)), lambda _frame, _mask: vector)


def member_number(value: Enum) -> int:
    """Return the number that stands for a member in a vector."""
    return int(value) if isinstance(value, int) else list(type(value)).index(value)


def convert(value: Vector, dtype: Scalar) -> Vector:
    """Convert as a device does: floats beyond an integer's range saturate."""
    if dtype == BFLOAT16:
        return _to_bfloat16(value)  # in any case: what NumPy computes with it is not rounded
    if value.dtype == dtype:
        return value
    if dtype == BOOL:
        return np.not_equal(value, 0)
    if value.dtype.kind == "f" and dtype.kind in "iu":
        return _to_integer(value, dtype)
    return value.astype(dtype)


def _to_bfloat16(value: Vector) -> Vector:
    """Round to 8 bits of precision, ties to even, at once also from float64."""
    wide = value.astype(np.float64)
    near = wide.astype(np.float32)
    bits = near.view(np.uint32)
    halfway = (bits & np.uint32(0xFFFF)) == np.uint32(0x8000)  # perhaps made so by rounding
    bits = np.where(halfway & (np.abs(wide) > np.abs(near)), bits + np.uint32(1), bits)
    bits = np.where(halfway & (np.abs(wide) < np.abs(near)), bits - np.uint32(1), bits)
    even = bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))
    rounded = (even & np.uint32(0xFFFF0000)).view(np.float32)
    return np.where(np.isnan(near), np.float32(np.nan), rounded).astype(BFLOAT16)


def _to_integer(value: Vector, dtype: Scalar) -> Vector:
    limits = np.iinfo(dtype)
    wide = value.astype(np.float64)
    result = wide.astype(dtype)
    low, high = float(limits.min), float(limits.max)
    wrong = ~((wide > low - 1) & (wide < high)) if dtype.itemsize < 8 else ~(abs(wide) < 2.0**63)
    if wrong.any():
        result = np.where(wide >= high, limits.max, result).astype(dtype)
        result = np.where(wide <= low, limits.min, result).astype(dtype)
        result = np.where(np.isnan(wide), 0, result).astype(dtype)
    return result


def as_type(value: Value, kind: Type) -> Value:
    """Convert a value to a joined type."""
    if isinstance(kind, Tuple):
        return tuple(as_type(item, part) for item, part in zip(value, kind.items, strict=True))
    dtype = number(kind)
    if dtype is None or value is None:
        return value
    return value if value.dtype == dtype else convert(value, dtype)


def cast(typed: TypedValue, dtype: Scalar) -> Evaluate:
    """Return what evaluates a number as one of another dtype."""
    if isinstance(typed.type, Constant):
        vector = convert(uniform(typed.type.value, number(typed.type) or dtype), dtype)
        return lambda _frame, _mask: vector
    evaluate = typed.evaluate
    if number(typed.type) == dtype:
        return evaluate
    return lambda frame, mask: convert(evaluate(frame, mask), dtype)


def keep_value(typed: TypedValue) -> tuple[TypedValue, TypedValue]:
    """Split a value that is used twice: the first evaluates it, the second returns the result."""
    if isinstance(typed.type, Constant):
        return typed, typed
    key: Any = object()

    def evaluate(frame: Frame, mask: Mask) -> Value:
        value = frame.values[key] = typed.evaluate(frame, mask)
        return value

    return TypedValue(typed.type, evaluate), TypedValue(
        typed.type, lambda frame, _mask: frame.values[key]
    )


_HELD = (Array, Record, VectorType, Tuple, Nothing, Member, Range, Slice)


def is_value(kind: Type) -> bool:
    """Return True if a variable can hold a value of this type."""
    return number(kind) is not None or isinstance(kind, _HELD)


def pack(parts: list[TypedValue]) -> TypedValue:
    """Pack several expressions into a tuple."""
    kind = Tuple(tuple(part.type for part in parts))
    return TypedValue(kind, lambda frame, mask: tuple(part.evaluate(frame, mask) for part in parts))


def unpack(typed: TypedValue, kind: Tuple) -> list[TypedValue]:
    """Unpack a tuple; it is evaluated again whenever the same item is needed again."""
    keep_value: list[Any] = []
    asked: set[int] = set()

    def part(place: int) -> Evaluate:
        def evaluate(frame: Frame, mask: Mask) -> Value:
            if not keep_value or place in asked:
                keep_value[:] = [typed.evaluate(frame, mask)]
                asked.clear()
            asked.add(place)
            return keep_value[0][place]

        return evaluate

    return [TypedValue(item, part(place)) for place, item in enumerate(kind.items)]


def item(typed: TypedValue, place: int) -> TypedValue:
    """Take one part of a tuple or of a vector."""
    assert isinstance(typed.type, (Tuple, VectorType))  # the caller has looked
    part = typed.type.items[place]
    return TypedValue(part, lambda frame, mask: typed.evaluate(frame, mask)[place])


def observe(value: Evaluate) -> Evaluate:
    """Note a value that a comparison or a test depends on."""

    def evaluate(frame: Frame, mask: Mask) -> Value:
        found = value(frame, mask)
        poison = frame.chunk.launch.poison
        if poison is not None:
            poison.note(found, mask)
        return found

    return evaluate
