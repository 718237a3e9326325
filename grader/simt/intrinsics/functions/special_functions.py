"""Functions of one real number that NumPy lacks, in float64: inverse erf, Bessel functions."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[Any]
_SLOPE = 2 / math.sqrt(math.pi)
_LOG_TAIL, _TERMS = 2.0, 200


def each(function: Callable[..., Any], dtype: Any = np.float64) -> Callable[..., Vector]:
    """Apply a function of Python's numbers to vectors; where it has no value, it is NaN."""

    def guarded(*values: Any) -> Any:
        try:
            return function(*values)
        except OverflowError:
            return math.inf
        except (ValueError, ZeroDivisionError):
            return math.nan

    def apply(*values: Vector) -> Vector:
        ufunc = np.frompyfunc(guarded, len(values), 1)
        found: Vector = np.asarray(ufunc(*values)).astype(dtype)
        return found

    return apply


def erfcinv(value: float) -> float:
    """Return the number whose complementary error function is given."""
    if value in (0.0, 2.0):
        return math.inf if value == 0 else -math.inf
    if not 0 < value < 2:
        return math.nan
    if value > 1:
        return -erfcinv(2 - value)
    near = -NormalDist().inv_cdf(value / 2) / math.sqrt(2)
    for _ in range(2):  # Newton's method, for the logarithm: it is nearly a parabola
        there = math.erfc(near)
        near += math.log(there / value) * there / (_SLOPE * math.exp(-near * near))
    return near


def erfinv(value: float) -> float:
    """Return the number whose error function is given."""
    if not -1 <= value <= 1:
        return math.nan
    if abs(value) > 1 / 2:
        return math.copysign(erfcinv(1 - abs(value)), value)
    near = value / _SLOPE
    for _ in range(6):
        near -= (math.erf(near) - value) / (_SLOPE * math.exp(-near * near))
    return near


def erfcx(value: float) -> float:
    """Return exp(x²) erfc(x), for large numbers by its continued fraction."""
    if value < _LOG_TAIL:
        return math.exp(value * value) * math.erfc(value)
    if math.isinf(value):
        return 0.0
    rest = value
    for term in range(_TERMS, 0, -1):
        rest = value + term / 2 / rest
    return 1 / (rest * math.sqrt(math.pi))


def normcdf(value: float) -> float:
    """Return the probability of a normal number up to this one."""
    return math.erfc(-value / math.sqrt(2)) / 2


def normcdfinv(value: float) -> float:
    """Return the normal number up to which the probability is this."""
    return -math.sqrt(2) * erfcinv(2 * value)


def lgamma(value: float) -> float:
    """Return the logarithm of the gamma function's size; infinite at its poles."""
    return math.inf if value <= 0 and value == math.floor(value) else math.lgamma(value)


def tgamma(value: float) -> float:
    """Return the gamma function; infinite at 0."""
    return math.copysign(math.inf, value) if value == 0 else math.gamma(value)


@cache
def bessel(name: str) -> Callable[..., float]:
    """Return a Bessel function of the C library: `j0`, `y1`, `jn` with an order first.

    Raises:
        LookupError: the machine's C library has none.
    """
    # Python itself is linked with it; to look for its file takes programs and temporary files.
    found = getattr(ctypes.CDLL(None), name, None)
    if found is None:
        raise LookupError(name)
    ordered = name.endswith("n")
    found.restype = ctypes.c_double
    found.argtypes = [*([ctypes.c_int] if ordered else []), ctypes.c_double]
    return lambda *given: float(found(*given))


def sinpi(value: Vector) -> Vector:
    """Return sin(πx), exact where it is a whole number."""
    size = np.abs(_reduce(value))
    part = np.where(size > 1 / 2, 1 - size, size)
    return np.copysign(np.sin(np.pi * part), np.where(size % 1 == 0, value, _reduce(value)))


def cospi(value: Vector) -> Vector:
    """Return cos(πx), exact where it is a whole number."""
    size = np.abs(_reduce(value))
    near = np.cos(np.pi * size)
    return np.where(size > 1 / 4, np.sin(np.pi * (1 / 2 - size)), near) + 0.0


def _reduce(value: Vector) -> Vector:
    """Return the equivalent within a period, -1 to 1."""
    rest = np.fmod(value, 2)
    reduced: Vector = np.where(rest > 1, rest - 2, np.where(rest < -1, rest + 2, rest))
    return reduced


def round_half_away(value: Vector) -> Vector:
    """Round to whole numbers, halves away from zero."""
    size = np.abs(value)
    down = np.floor(size)
    rounded: Vector = np.copysign(down + (size - down >= 1 / 2), value)
    return rounded


def logb(value: Vector) -> Vector:
    """Return the exponent; -inf of 0, and inf of what is infinite."""
    found = np.frexp(value)[1] - 1.0
    found = np.where(value == 0, -np.inf, found)
    return np.where(np.isfinite(value), found, np.abs(value))


def remquo(left: float, right: float) -> tuple[float, int]:
    """Return the IEEE remainder, and sign and low three bits of the quotient."""
    try:
        rest = math.remainder(left, right)
    except ValueError:
        return math.nan, 0
    if not math.isfinite(right):
        return rest, 0
    whole = round((Fraction(left) - Fraction(rest)) / Fraction(right))
    return rest, (abs(whole) & 7) * (1 if whole >= 0 else -1)
