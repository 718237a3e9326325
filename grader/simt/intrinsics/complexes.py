"""Complex numbers: `complex(…)` and `cmath`, as Python itself computes it, number by number."""

from __future__ import annotations

import ast
import cmath
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.compiler.unit import Unit
from grader.simt.intrinsics.calling import Intrinsic, Table, arguments, elementwise, no_overload
from grader.simt.machine.typed import Frame, Typed, cast
from grader.simt.reading.types import (
    COMPLEX64,
    COMPLEX128,
    FLOAT32,
    Scalar,
    Tuple,
    real_of,
)
from grader.simt.reading.typing_rules import resolve

Vector = NDArray[Any]


def _each(function: Callable[..., Any], result: Callable[[Scalar], Any]) -> Callable[..., Vector]:
    """Compute number by number in double precision; `result` is from the operands' type."""

    def guarded(*values: Any) -> Any:
        try:
            return function(*values)
        except OverflowError:
            return cmath.inf
        except (ValueError, ZeroDivisionError):
            return cmath.nan

    def apply(*values: Vector) -> Vector:
        one_by_one = np.frompyfunc(guarded, len(values), 1)
        found: Vector = np.asarray(one_by_one(*values)).astype(result(values[0].dtype))
        return found

    return apply


def _same(dtype: Scalar) -> Scalar:
    return dtype


_SAME = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "log10"),
    *("sin", "sinh", "sqrt", "tan", "tanh"),
)


def _log(unit: Unit, node: ast.Call) -> Typed:
    count = len(arguments(unit, node, "cmath.log", 1, 2))
    return elementwise("cmath.log", f"complex {count}", _each(cmath.log, _same), count)(unit, node)


def _polar(unit: Unit, node: ast.Call) -> Typed:
    (given,) = arguments(unit, node, "cmath.polar", 1)
    typed, dtype = unit.number(given)
    signature = resolve("complex 1", dtype)
    if signature is None:
        raise unit.not_typed(node, no_overload("cmath.polar", dtype))
    value, part = cast(typed, signature.result), real_of(signature.result)
    size, angle = (_each(one, real_of) for one in (abs, cmath.phase))

    def evaluate(frame: Frame, mask: Any) -> tuple[Vector, Vector]:
        found = value(frame, mask)
        return size(found), angle(found)

    return Typed(Tuple((part, part)), evaluate)


def _complex(unit: Unit, node: ast.Call) -> Typed:
    given = [unit.number(one) for one in arguments(unit, node, "complex", 1, 2)]
    kinds = [dtype for _, dtype in given]
    if len(given) == 2 and any(one.kind == "c" for one in kinds):
        raise unit.not_typed(node, no_overload("complex", *kinds))
    narrow = all(one == FLOAT32 for one in kinds)
    result = COMPLEX64 if narrow else COMPLEX128
    parts = [cast(typed, result) for typed, _ in given]

    def evaluate(frame: Frame, mask: Any) -> Vector:
        values = [part(frame, mask) for part in parts]
        if len(values) == 1:
            return values[0]  # type: ignore[no-any-return]
        real, imaginary = np.broadcast_arrays(values[0].real, values[1].real)
        whole: Vector = np.empty(real.shape, result)
        whole.real, whole.imag = real, imaginary
        return whole

    return Typed(result, evaluate)


def _plain(name: str) -> Intrinsic:
    function = getattr(cmath, name)
    return elementwise(f"cmath.{name}", "complex 1", _each(function, _same))


CALLS: Table = {
    **{f"cmath.{name}": _plain(name) for name in _SAME},
    **{
        f"cmath.{name}": elementwise(f"cmath.{name}", "complex test", function)
        for name, function in (
            ("isnan", np.isnan),
            ("isinf", np.isinf),
            ("isfinite", np.isfinite),
        )
    },
    "cmath.phase": elementwise("cmath.phase", "complex abs", _each(cmath.phase, real_of)),
    "cmath.rect": elementwise(
        "cmath.rect",
        "complex of reals",
        _each(cmath.rect, lambda dtype: COMPLEX64 if dtype == FLOAT32 else COMPLEX128),
        2,
    ),
    "cmath.log": _log,
    "cmath.polar": _polar,
    "builtins.complex": _complex,
}
