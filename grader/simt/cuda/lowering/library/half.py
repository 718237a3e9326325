"""Functions of `__half`: arithmetic, comparisons, mathematics, conversions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.conversions import convert
from grader.simt.cuda.lowering.library.entries import apply
from grader.simt.cuda.lowering.library.overloads import LibraryOverload
from grader.simt.cuda.lowering.model.types import (
    BOOLEAN,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONG_LONG,
    SHORT,
    UNSIGNED,
    UNSIGNED_LONG_LONG,
    UNSIGNED_SHORT,
    Arithmetic,
)
from grader.simt.cuda.lowering.model.values import Plain, Value
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.intrinsics.functions import half, rounding
from grader.simt.intrinsics.functions.fixed_signatures import Vector
from grader.simt.intrinsics.functions.libdevice_integers import TOWARDS, to_integer
from grader.simt.intrinsics.functions.rounding import MODES
from grader.simt.intrinsics.functions.signed_zeros import (
    larger,
    larger_or_nan,
    smaller,
    smaller_or_nan,
)

_INTEGERS = {
    "int": INT,
    "uint": UNSIGNED,
    "short": SHORT,
    "ushort": UNSIGNED_SHORT,
    "ll": LONG_LONG,
    "ull": UNSIGNED_LONG_LONG,
}


def _pure(
    name: str, function: Callable[..., Any], operands: Sequence[Arithmetic], result: Arithmetic
) -> LibraryOverload:
    def lower(unit: CudaUnit, _node: syntax.Call, given: Sequence[Plain]) -> Value:
        return apply(unit, name, function, result, *(value.node for value in given))

    return LibraryOverload(tuple(operands), lower)


def _differs(left: Vector, right: Vector) -> Vector:
    """Compare as `__hne` does: false if one is NaN."""
    found: Vector = (left < right) | (left > right)
    return found


def _infinite(value: Vector) -> Vector:
    """Return 1, -1 for negative infinity, or 0."""
    found: Vector = np.isinf(value) * np.where(value > 0, 1, -1)
    return found


def _saturated(function: Callable[..., Any]) -> Callable[..., Any]:
    """Limit a result to 0 to 1; NaN becomes 0."""

    def compute(*values: Vector) -> Vector:
        found = function(*values)
        return np.where(found > 0, np.minimum(found, 1), 0)  # -0 becomes 0, too

    return compute


def _not_negative(function: Callable[..., Any]) -> Callable[..., Any]:
    """Replace what is negative by 0; NaN stays."""

    def compute(*values: Vector) -> Vector:
        found = function(*values)
        positive: Vector = larger_or_nan(found, found.dtype.type(0))
        return positive

    return compute


def _unordered(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a comparison that holds if one of the numbers is NaN."""
    return lambda left, right: function(left, right) | np.isnan(left) | np.isnan(right)


_ARITHMETIC: dict[str, Callable[..., Any]] = {
    name: half.TWO[name] for name in ("hadd", "hsub", "hmul", "hdiv")
}
_MORE: dict[str, Callable[..., Any]] = {
    "hmax": larger,
    "hmin": smaller,
    "hmax_nan": larger_or_nan,
    "hmin_nan": smaller_or_nan,
}


def _functions() -> Iterator[tuple[str, LibraryOverload]]:
    own, pair, three = (HALF,), (HALF, HALF), (HALF, HALF, HALF)
    for name, function in half.ONE.items():
        yield f"__{name}" if name in ("hneg", "habs") else name, _pure(name, function, own, HALF)
    yield "htanh", _pure("htanh", lambda v: np.tanh(v.astype(np.float32)), own, HALF)
    for name, function in {**_ARITHMETIC, **_MORE}.items():
        yield f"__{name}", _pure(name, function, pair, HALF)
    for name in ("hadd", "hsub", "hmul"):
        yield f"__{name}_rn", _pure(name, _ARITHMETIC[name], pair, HALF)
        yield f"__{name}_sat", _pure(name, _saturated(_ARITHMETIC[name]), pair, HALF)
    yield "__hfma", _pure("hfma", rounding.fma, three, HALF)
    yield "__hfma_sat", _pure("hfma", _saturated(rounding.fma), three, HALF)
    yield (
        "__hfma_relu",
        _pure("hfma", lambda *v: larger_or_nan(rounding.fma(*v), v[0].dtype.type(0)), three, HALF),
    )
    for name, function in half.TESTS.items():
        ordered = _differs if name == "hne" else function
        yield f"__{name}", _pure(name, ordered, pair, BOOLEAN)
        yield f"__{name}u", _pure(name, _unordered(function), pair, BOOLEAN)
    yield "__hisnan", _pure("hisnan", np.isnan, own, BOOLEAN)
    yield "__hisinf", _pure("hisinf", _infinite, own, INT)


def _converted(source: Arithmetic, target: Arithmetic) -> LibraryOverload:
    def lower(unit: CudaUnit, node: syntax.Call, given: Sequence[Plain]) -> Value:
        return convert(unit, node, given[0], target, cast=True)

    return LibraryOverload((source,), lower)


def _viewed(source: Arithmetic, target: Arithmetic) -> LibraryOverload:
    return _pure("bits", lambda value: value.view(target.dtype), (source,), target)


def _conversions() -> Iterator[tuple[str, LibraryOverload]]:
    yield "__half2float", _converted(HALF, FLOAT)
    yield "__float2half", _converted(FLOAT, HALF)
    yield "__double2half", _converted(DOUBLE, HALF)
    for mode in MODES:
        rounded = rounding.converted(mode, "float16")
        exact = _pure("float2half", rounded, (FLOAT,), HALF)
        yield f"__float2half_{mode}", _converted(FLOAT, HALF) if mode == "rn" else exact
        for name, kind in _INTEGERS.items():
            back = to_integer(TOWARDS[mode], kind.dtype, kind.dtype)
            yield f"__half2{name}_{mode}", _pure(f"half2{name}", back, (HALF,), kind)
            yield f"__{name}2half_{mode}", _pure(f"{name}2half", rounded, (kind,), HALF)
    for name, kind in (("short", SHORT), ("ushort", UNSIGNED_SHORT)):
        yield f"__half_as_{name}", _viewed(HALF, kind)
        yield f"__{name}_as_half", _viewed(kind, HALF)


OVERLOADS: dict[str, LibraryOverload] = dict((*_functions(), *_conversions()))
