"""Functions of complex numbers, as Python itself computes them, number by number, in 128 bits."""

from __future__ import annotations

import cmath

import numpy as np

from grader.simt.intrinsics.functions.fixed_signatures import Function, Vector
from grader.simt.intrinsics.functions.special_functions import each

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
