"""Complex numbers: `complex(…)` and `cmath`, as Python itself computes it, in 128 bits."""

from __future__ import annotations

import ast
import cmath

import numpy as np

from grader.simt.intrinsics.functions.fixed_signatures import Function, Vector
from grader.simt.intrinsics.functions.special_functions import each
from grader.simt.numba.library.calling import Table, arguments, describe_mismatch, elementwise
from grader.simt.numba.reading.typing_rules import resolve
from grader.simt.numba.typed import cast
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Apply, Expression
from grader.simt.program.types import BFLOAT16, COMPLEX64, COMPLEX128, FLOAT32, Tuple, real_of

_SAME = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "log10"),
    *("sin", "sinh", "sqrt", "tan", "tanh"),
)
ONE: dict[str, Function] = {name: each(getattr(cmath, name), np.complex128) for name in _SAME}
"""Those of one number that give a complex one."""
TESTS: dict[str, Function] = {"isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite}

log = each(cmath.log, np.complex128)
"""The logarithm of a number, for a base if there is one."""
phase = each(cmath.phase)
rect = each(cmath.rect, np.complex128)
_size = each(abs)


def polar(value: Vector) -> tuple[Vector, Vector]:
    """Return size and angle, of the type of a number's parts."""
    part = value.real.dtype
    return _size(value).astype(part), phase(value).astype(part)


def join_parts(real: Vector, imaginary: Vector) -> Vector:
    """Return the complex numbers of these parts, which have one type."""
    shape = np.broadcast_shapes(real.shape, imaginary.shape)
    whole: Vector = np.empty(shape, np.result_type(real.dtype, np.complex64))
    whole.real, whole.imag = real, imaginary
    return whole


def _log(unit: Unit, node: ast.Call) -> Expression:
    count = len(arguments(unit, node, "cmath.log", 1, 2))
    return elementwise("cmath.log", f"complex {count}", log, count)(unit, node)


def _polar(unit: Unit, node: ast.Call) -> Expression:
    (given,) = arguments(unit, node, "cmath.polar", 1)
    typed, dtype = unit.compile_number(given)
    signature = resolve("complex 1", dtype)
    if signature is None:
        raise unit.typing_error(node, describe_mismatch("cmath.polar", dtype))
    value, part = cast(typed, signature.result), real_of(signature.result)
    return Apply(Tuple((part, part)), "polar", polar, (value,))


def _complex(unit: Unit, node: ast.Call) -> Expression:
    given = [unit.compile_number(argument) for argument in arguments(unit, node, "complex", 1, 2)]
    kinds = [dtype for _, dtype in given]
    if BFLOAT16 in kinds or (len(given) == 2 and any(kind.kind == "c" for kind in kinds)):
        raise unit.typing_error(node, describe_mismatch("complex", *kinds))
    narrow = all(kind == FLOAT32 for kind in kinds)
    result = COMPLEX64 if narrow else COMPLEX128
    if len(given) == 1:
        return cast(given[0][0], result)
    parts = tuple(cast(typed, real_of(result)) for typed, _ in given)
    return Apply(result, "complex", join_parts, parts)


CALLS: Table = {
    **{
        f"cmath.{name}": elementwise(f"cmath.{name}", "complex 1", function)
        for name, function in ONE.items()
    },
    **{
        f"cmath.{name}": elementwise(f"cmath.{name}", "complex test", function)
        for name, function in TESTS.items()
    },
    "cmath.phase": elementwise("cmath.phase", "complex abs", phase),
    "cmath.rect": elementwise("cmath.rect", "complex of reals", rect, 2),
    "cmath.log": _log,
    "cmath.polar": _polar,
    "builtins.complex": _complex,
}
