"""`math` and the functions of NumPy that a kernel can call: typed as Numba types them."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.machine.frame import Frame, Value
from grader.simt.numba.library.calling import (
    Intrinsic,
    Table,
    arguments,
    describe_mismatch,
    elementwise,
)
from grader.simt.numba.reading.typing_rules import resolve
from grader.simt.numba.typed import TypedValue, cast, unpack
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression
from grader.simt.program.types import BOOL, INT32, Scalar, Tuple, join_types, number

Vector = NDArray[Any]


def _apply_each(function: Callable[..., float]) -> Callable[..., Vector]:
    """Compute number by number in float64 what NumPy lacks."""

    def guarded(*values: float) -> float:
        try:
            return function(*values)
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    one_by_one = np.frompyfunc(guarded, 1, 1)

    def apply(value: Vector) -> Vector:
        dtype = value.dtype if value.dtype.kind == "f" else np.float64
        result: Vector = np.asarray(one_by_one(value.astype(np.float64))).astype(dtype)
        return result

    return apply


def _remainder(left: Vector, right: Vector) -> Vector:
    """Compute the IEEE remainder: to the nearest multiple, ties to the even one."""
    quotient = np.rint(left.astype(np.float64) / right)
    result: Vector = (left - quotient * right).astype(left.dtype)
    return result


_ONE: dict[str, Callable[..., Any]] = {
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atanh": np.arctanh,
    "ceil": np.ceil,
    "cos": np.cos,
    "cosh": np.cosh,
    "degrees": np.degrees,
    "erf": _apply_each(math.erf),
    "erfc": _apply_each(math.erfc),
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "fabs": np.fabs,
    "floor": np.floor,
    "gamma": _apply_each(math.gamma),
    "lgamma": _apply_each(math.lgamma),
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "radians": np.radians,
    "sin": np.sin,
    "sinh": np.sinh,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
    "trunc": np.trunc,
}
_OF_BFLOAT16 = frozenset(
    ("ceil", "cos", "exp", "exp2", "floor", "log", "log10", "sin", "sqrt", "tanh", "trunc")
)
"""Those that give a bfloat16 for one; all others give a float32."""
_TWO: dict[str, Callable[..., Any]] = {"atan2": np.arctan2, "hypot": np.hypot}
_TWO_REALS: dict[str, Callable[..., Any]] = {
    "copysign": np.copysign,
    "fmod": np.fmod,
    "nextafter": np.nextafter,
    "remainder": _remainder,
}
_TESTS: dict[str, Callable[..., Any]] = {
    "isnan": np.isnan,
    "isinf": np.isinf,
    "isfinite": np.isfinite,
}
_NUMPY = {
    **{name: name for name in ("ceil", "cos", "cosh", "degrees", "exp", "exp2", "expm1", "fabs")},
    **{name: name for name in ("floor", "log", "log10", "log1p", "log2", "radians", "sin", "sinh")},
    **{name: name for name in ("sqrt", "tan", "tanh", "trunc")},
    "arccos": "acos",
    "arcsin": "asin",
    "arctan": "atan",
    "arccosh": "acosh",
    "arcsinh": "asinh",
    "arctanh": "atanh",
}


def _frexp(unit: Unit, node: ast.Call) -> Expression:
    dtype, operand = _real(unit, node, "math.frexp")

    def evaluate(frame: Frame, mask: object) -> Value:
        part, exponent = np.frexp(operand.evaluate(frame, mask))
        return part, exponent.astype(np.int32)

    return TypedValue(Tuple((dtype, INT32)), evaluate)


def _modf(unit: Unit, node: ast.Call) -> Expression:
    dtype, operand = _real(unit, node, "math.modf")
    return TypedValue(
        Tuple((dtype, dtype)), lambda frame, mask: np.modf(operand.evaluate(frame, mask))
    )


def _real(unit: Unit, node: ast.Call, name: str) -> tuple[Scalar, Expression]:
    (given,) = arguments(unit, node, name, 1)
    typed, dtype = unit.compile_number(given)
    signature = resolve("real", dtype)
    if signature is None:
        raise unit.typing_error(node, describe_mismatch(name, dtype))
    return signature.result, TypedValue(signature.result, cast(typed, signature.result))


def _power(unit: Unit, node: ast.Call) -> Expression:
    left, right = map(unit.compile_number, arguments(unit, node, "math.pow", 2))
    signature = resolve("math.pow", left[1], right[1])
    if signature is None:
        raise unit.typing_error(node, describe_mismatch("math.pow", left[1], right[1]))
    base, exponent = cast(left[0], signature.result), cast(right[0], signature.result)
    return TypedValue(
        signature.result, lambda frame, mask: np.power(base(frame, mask), exponent(frame, mask))
    )


def _ldexp(unit: Unit, node: ast.Call) -> Expression:
    left, right = map(unit.compile_number, arguments(unit, node, "math.ldexp", 2))
    signature = resolve("math.ldexp", left[1], right[1])
    if signature is None:
        raise unit.typing_error(node, describe_mismatch("math.ldexp", left[1], right[1]))
    part, exponent = cast(left[0], signature.result), cast(right[0], INT32)
    return TypedValue(
        signature.result, lambda frame, mask: np.ldexp(part(frame, mask), exponent(frame, mask))
    )


def _extreme(name: str, whole: np.ufunc, real: np.ufunc) -> Intrinsic:
    """Make `min` or `max`, of the type that holds all operands."""

    def make(unit: Unit, node: ast.Call) -> Expression:
        given = [unit.compile_expression(argument) for argument in node.args]
        if len(given) == 1 and isinstance(given[0].type, Tuple):
            given = unpack(given[0], given[0].type)
        if not given or node.keywords:
            raise unit.refusal(node, fact("simt.arguments-two", name=name))
        kind = number(given[0].type) or given[0].type
        for argument in given[1:]:
            kind = join_types(kind, number(argument.type) or argument.type)
        dtype = unit.dtype(node, kind)
        some_bool = dtype != BOOL and any(number(argument.type) == BOOL for argument in given)
        if (dtype.kind == "c" or some_bool) and not name.startswith("np."):
            raise unit.typing_error(node, describe_mismatch(name, dtype))
        unit.widening.note(node, name, dtype, tuple(argument.type for argument in given))
        apply = real if dtype.kind in "fc" else whole
        operands = [cast(argument, dtype) for argument in given]

        def evaluate(frame: Frame, mask: Any) -> Value:
            value = operands[0](frame, mask)
            for operand in operands[1:]:
                value = apply(value, operand(frame, mask))
            return value

        return TypedValue(dtype, evaluate)

    return make


def _rule(name: str) -> str:
    """Return how a function of one number is typed."""
    return "math of one or bfloat16" if name in _OF_BFLOAT16 else "math of one"


_MIN = _extreme("min", np.minimum, np.fmin)
_MAX = _extreme("max", np.maximum, np.fmax)

CALLS: Table = {
    **{f"math.{name}": elementwise(f"math.{name}", _rule(name), f) for name, f in _ONE.items()},
    **{
        f"np.{name}": elementwise(f"np.{name}", "math of one", _ONE[own])
        for name, own in _NUMPY.items()
    },
    **{
        f"math.{name}": elementwise(f"math.{name}", "math of two", f, 2) for name, f in _TWO.items()
    },
    "np.hypot": elementwise("np.hypot", "math of two", np.hypot, 2),
    "np.arctan2": elementwise("np.arctan2", "math of two", np.arctan2, 2),
    **{
        f"math.{name}": elementwise(f"math.{name}", "math of two reals", f, 2)
        for name, f in _TWO_REALS.items()
    },
    **{
        f"{module}.{name}": elementwise(f"{module}.{name}", "math test", f)
        for module in ("math", "np")
        for name, f in _TESTS.items()
    },
    "math.pow": _power,
    "math.ldexp": _ldexp,
    "math.frexp": _frexp,
    "math.modf": _modf,
    "builtins.min": _MIN,
    "builtins.max": _MAX,
    "np.minimum": _extreme("np.minimum", np.minimum, np.minimum),
    "np.maximum": _extreme("np.maximum", np.maximum, np.maximum),
    "np.fmin": _extreme("np.fmin", np.fmin, np.fmin),
    "np.fmax": _extreme("np.fmax", np.fmax, np.fmax),
}
