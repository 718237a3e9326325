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


_ARCS = ("cos", "cosh", "sin", "sinh", "tan", "tanh")
_AS_IN_NUMPY = """ceil cos cosh exp exp2 expm1 fabs floor log log10 log1p log2 sin sinh sqrt tan
    tanh trunc"""
ELEMENTARY: dict[str, Function] = {
    **{f"a{name}": getattr(np, f"arc{name}") for name in _ARCS},
    **{name: getattr(np, name) for name in _AS_IN_NUMPY.split()},
}
"""Functions of one real number that NumPy has, by their names in C."""
ONE: dict[str, Function] = {
    **ELEMENTARY,
    "degrees": np.degrees,
    "erf": each(math.erf),
    "erfc": each(math.erfc),
    "gamma": each(math.gamma),
    "lgamma": each(math.lgamma),
    "radians": np.radians,
}
TWO: dict[str, Function] = {"atan2": np.arctan2, "hypot": np.hypot}
TWO_REALS: dict[str, Function] = {
    "copysign": np.copysign,
    "fmod": np.fmod,
    "nextafter": np.nextafter,
    "remainder": remainder,
}
TESTS: dict[str, Function] = {"isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite}
