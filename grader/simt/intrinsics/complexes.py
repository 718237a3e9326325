"""Complex numbers: `complex(…)` and `cmath`, as Python itself computes it, number by number."""

from __future__ import annotations

import ast
import cmath
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.machine.frame import Frame
from grader.simt.numba.library.calling import (
    Intrinsic,
    Table,
    arguments,
    describe_mismatch,
    elementwise,
)
from grader.simt.numba.reading.typing_rules import resolve
from grader.simt.numba.typed import TypedValue, cast
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression
from grader.simt.program.types import (
    BFLOAT16,
    COMPLEX64,
    COMPLEX128,
    FLOAT32,
    Scalar,
    Tuple,
    real_of,
)

Vector = NDArray[Any]


def _apply_each(
    function: Callable[..., Any], result: Callable[[Scalar], Any]
) -> Callable[..., Vector]:
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


def _keep_type(dtype: Scalar) -> Scalar:
    return dtype


_SAME = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "log10"),
    *("sin", "sinh", "sqrt", "tan", "tanh"),
)


def _log(unit: Unit, node: ast.Call) -> Expression:
    count = len(arguments(unit, node, "cmath.log", 1, 2))
    return elementwise("cmath.log", f"complex {count}", _apply_each(cmath.log, _keep_type), count)(
        unit, node
    )


def _polar(unit: Unit, node: ast.Call) -> Expression:
    (given,) = arguments(unit, node, "cmath.polar", 1)
    typed, dtype = unit.compile_number(given)
    signature = resolve("complex 1", dtype)
    if signature is None:
        raise unit.typing_error(node, describe_mismatch("cmath.polar", dtype))
    value, part = cast(typed, signature.result), real_of(signature.result)
    size, angle = (_apply_each(function, real_of) for function in (abs, cmath.phase))

    def evaluate(frame: Frame, mask: Any) -> tuple[Vector, Vector]:
        found = value(frame, mask)
        return size(found), angle(found)

    return TypedValue(Tuple((part, part)), evaluate)


def _complex(unit: Unit, node: ast.Call) -> Expression:
    given = [unit.compile_number(argument) for argument in arguments(unit, node, "complex", 1, 2)]
    kinds = [dtype for _, dtype in given]
    if BFLOAT16 in kinds or (len(given) == 2 and any(kind.kind == "c" for kind in kinds)):
        raise unit.typing_error(node, describe_mismatch("complex", *kinds))
    narrow = all(kind == FLOAT32 for kind in kinds)
    result = COMPLEX64 if narrow else COMPLEX128
    if len(given) == 1:
        return TypedValue(result, cast(given[0][0], result))
    real, imaginary = (cast(typed, real_of(result)) for typed, _ in given)

    def evaluate(frame: Frame, mask: Any) -> Vector:
        parts = real(frame, mask), imaginary(frame, mask)
        whole: Vector = np.empty(np.broadcast_shapes(*(part.shape for part in parts)), result)
        whole.real, whole.imag = parts
        return whole

    return TypedValue(result, evaluate, fresh=True)


def _make_plain(name: str) -> Intrinsic:
    function = getattr(cmath, name)
    return elementwise(f"cmath.{name}", "complex 1", _apply_each(function, _keep_type))


CALLS: Table = {
    **{f"cmath.{name}": _make_plain(name) for name in _SAME},
    **{
        f"cmath.{name}": elementwise(f"cmath.{name}", "complex test", function)
        for name, function in (
            ("isnan", np.isnan),
            ("isinf", np.isinf),
            ("isfinite", np.isfinite),
        )
    },
    "cmath.phase": elementwise("cmath.phase", "complex abs", _apply_each(cmath.phase, real_of)),
    "cmath.rect": elementwise(
        "cmath.rect",
        "complex of reals",
        _apply_each(cmath.rect, lambda dtype: COMPLEX64 if dtype == FLOAT32 else COMPLEX128),
        2,
    ),
    "cmath.log": _log,
    "cmath.polar": _polar,
    "builtins.complex": _complex,
}
