"""The functions of C's and Python's `math`, on vectors: by name, and by what they take."""

from __future__ import annotations

import math

import numpy as np

from grader.simt.intrinsics.functions.fixed_signatures import Function, Vector
from grader.simt.intrinsics.functions.special_functions import each


def remainder(left: Vector, right: Vector) -> Vector:
    """Compute the IEEE remainder: to the nearest multiple, ties to the even one."""
    quotient = np.rint(left.astype(np.float64) / right)
    result: Vector = (left - quotient * right).astype(left.dtype)
    return result


def round_to_digits(value: Vector, digits: Vector) -> Vector:
    """Round to a number of decimals, as float64; what is then not finite stays as it is."""
    scale = 10.0 ** digits.astype(np.float64)
    rounded = np.rint(value.astype(np.float64) * scale) / scale
    result: Vector = np.where(np.isfinite(rounded), rounded, value).astype(value.dtype)
    return result


ONE: dict[str, Function] = {
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
    "erf": each(math.erf),
    "erfc": each(math.erfc),
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "fabs": np.fabs,
    "floor": np.floor,
    "gamma": each(math.gamma),
    "lgamma": each(math.lgamma),
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
TWO: dict[str, Function] = {"atan2": np.arctan2, "hypot": np.hypot}
TWO_REALS: dict[str, Function] = {
    "copysign": np.copysign,
    "fmod": np.fmod,
    "nextafter": np.nextafter,
    "remainder": remainder,
}
TESTS: dict[str, Function] = {"isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite}
