"""`min`, `max` and `abs` as CUDA overloads them; those of `std`, with `clamp` and `swap`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.assigning import assign
from grader.simt.cuda.lowering.conversions import convert, load, rvalue
from grader.simt.cuda.lowering.library.entries import apply
from grader.simt.cuda.lowering.library.overloads import (
    Handler,
    LibraryOverload,
    kinds,
    no_overload,
    overloaded,
    require,
)
from grader.simt.cuda.lowering.model.types import VOID, Arithmetic
from grader.simt.cuda.lowering.model.values import Plain, Value, VoidValue
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.intrinsics.functions.fixed_signatures import Vector
from grader.simt.intrinsics.functions.signed_zeros import larger, smaller

_PAIRS = ("ii", "uu", "iu", "ui", "ll", "LL", "lL", "Ll", "qq", "QQ", "qQ", "Qq", "ff", "dd",
          "fd", "df")  # fmt: skip
"""The types of CUDA's overloads; a mix of float and int is ambiguous, as in its headers."""
_COMMON = {"iu": "u", "lL": "L", "qQ": "Q", "fd": "d"}
"""Of two types, in this order; else the only one."""


def _smaller(left: Vector, right: Vector) -> Vector:
    """Choose as `std::min` does: the left one, unless the right one is less."""
    return np.where(right < left, right, left)


def _larger(left: Vector, right: Vector) -> Vector:
    return np.where(left < right, right, left)


def _extreme(name: str, whole: np.ufunc, real: Callable[..., Any]) -> Handler:
    """Make CUDA's function; of a NaN and a number, it returns the number."""

    def make(letters: str) -> LibraryOverload:
        (kind,) = kinds(_COMMON.get("".join(sorted(letters, key="ifludqLQ".index)), letters[0]))
        function: Callable[..., Any] = whole if kind.is_integer else real

        def lower(unit: CudaUnit, node: syntax.Call, given: Sequence[Plain]) -> Value:
            operands = [convert(unit, node, each, kind).node for each in given]
            return apply(unit, name, function, kind, *operands, cost=None)

        return LibraryOverload(kinds(letters), lower)

    return overloaded(*map(make, _PAIRS))


def _template(name: str, count: int, function: Callable[..., Any]) -> Handler:
    """Make a function template of `std` whose arguments are of one type."""

    def lower(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
        require(unit, node, given, count)
        assert isinstance(node.function, syntax.Name)  # it was found by its name
        written = node.function.parts[-1].arguments
        values = [rvalue(unit, node, each) for each in given]
        kind = unit.module.type_of(unit, written[0]) if written else values[0].type
        fits = written or all(value.type == kind for value in values)
        if not fits or not isinstance(kind, Arithmetic):
            raise no_overload(unit, node, values)
        operands = [convert(unit, node, value, kind).node for value in values]
        return apply(unit, name, function, kind, *operands, cost=None)

    return lower


def _clamp(value: Vector, low: Vector, high: Vector) -> Vector:
    return np.where(value < low, low, np.where(high < value, high, value))


def _absolute(letters: str) -> Handler:
    def make(kind: Arithmetic) -> LibraryOverload:
        def lower(unit: CudaUnit, _node: syntax.Call, given: Sequence[Plain]) -> Value:
            return apply(unit, "abs", np.abs, kind, given[0].node, cost=None)

        return LibraryOverload((kind,), lower)

    return overloaded(*map(make, kinds(letters)))


def _swap(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    require(unit, node, given, 2)
    first, second = given
    if first.type != second.type:
        raise no_overload(unit, node, given)
    before = unit.hold_value(load(unit, node, first))
    assign(unit, node, first, load(unit, node, second))
    assign(unit, node, second, before)
    return VoidValue(VOID)


_INTEGERS = {"labs": "l", "llabs": "q"}
HANDLERS: dict[str, Handler] = {
    "min": _extreme("min", np.minimum, smaller),
    "max": _extreme("max", np.maximum, larger),
    "std::min": _template("min", 2, _smaller),
    "std::max": _template("max", 2, _larger),
    "std::clamp": _template("clamp", 3, _clamp),
    "std::swap": _swap,
    "swap": _swap,
    "abs": _absolute("ilqfd"),
    **{name: _absolute(letter) for name, letter in _INTEGERS.items()},
}
