"""Arithmetic and conversions that round in a given direction, exactly, number by number.

The exact result is a rational number, or known by what its square is; of the floats around it, the
mode chooses one. Numbers that are not finite are IEEE's, by NumPy.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[Any]
Mode = Literal["rn", "rd", "ru", "rz"]
"""To nearest, ties to even; down; up; toward zero."""
MODES: tuple[Mode, ...] = ("rn", "rd", "ru", "rz")
Compare = Callable[[Fraction], int]
"""The sign of the exact result minus a candidate."""
Exact = Callable[..., Fraction]


def _by_value(exact: Fraction) -> Compare:
    return lambda candidate: (exact > candidate) - (exact < candidate)


def _by_square(square: Fraction) -> Compare:
    """Compare a square root with a candidate of its sign."""
    return lambda candidate: (square > candidate**2) - (square < candidate**2)


def _choose(near: Any, compare: Compare, mode: Mode) -> Any:
    """Return the float that a mode chooses.

    Args:
        near: a float near the exact result; infinite if that is beyond the largest one.
        compare: the exact result.
    """
    kind, largest = type(near), np.finfo(near).max
    up, down = kind(np.inf), kind(-np.inf)
    low = near if np.isfinite(near) else np.copysign(largest, near)
    while low != down and compare(_fraction(low)) < 0:
        low = np.nextafter(low, down)
    while low < largest and compare(_fraction(np.nextafter(low, up))) >= 0:
        low = np.nextafter(low, up)
    if low != down and compare(_fraction(low)) == 0:
        return low
    high = np.nextafter(low, up)
    if mode == "rn":
        return _choose_nearest(low, high, compare)
    downward = mode == "rd" or (mode == "rz" and low >= 0)
    return low if downward else high


def _choose_nearest(low: Any, high: Any, compare: Compare) -> Any:
    """Return the nearer of two floats in succession; an infinity stands for the next power."""
    first, second = (_fraction(side) if np.isfinite(side) else None for side in (low, high))
    if first is None or second is None:  # beyond the largest: half a step more rounds to infinity
        largest = np.finfo(low).max
        step = _fraction(largest) - _fraction(np.nextafter(largest, type(low)(0)))
        edge = _fraction(largest) + step / 2
        if second is None:
            return high if compare(edge) >= 0 else low
        return low if compare(-edge) <= 0 else high
    side = compare((first + second) / 2)
    if side:
        return high if side > 0 else low
    return low if low.view(f"u{low.dtype.itemsize}") % 2 == 0 else high


def _approximate(exact: Fraction, kind: type[Any]) -> Any:
    """Return a float near a number, of its sign."""
    try:
        return kind(float(exact))
    except OverflowError:
        return kind(math.inf if exact > 0 else -math.inf)


def _fraction(value: Any) -> Fraction:
    return Fraction(float(value))


def directed(
    nearest: Callable[..., Any], exact: Exact, mode: Mode, dtype: str
) -> Callable[..., Vector]:
    """Make an operation that rounds in a direction.

    Args:
        nearest: NumPy's operation, for results that are not finite, and for zeros.
        exact: of `Fraction`s.
        dtype: of operands and result.
    """
    kind = np.dtype(dtype).type
    if mode == "rn" and isinstance(nearest, np.ufunc):
        return _quietly(lambda *values: nearest(*(value.astype(kind) for value in values)))

    def one(*values: Any) -> Any:
        near = kind(nearest(*map(kind, values)))
        if np.isnan(near) or not all(map(math.isfinite, map(float, values))):
            return near
        try:
            result = exact(*map(_fraction, values))
        except ZeroDivisionError:
            return near
        if result:
            return _choose(_approximate(result, kind), _by_value(result), mode)
        if mode != "rd" or nearest not in _ADDENDS:
            return near
        # Down, a sum that is zero is -0, but for that of two +0.
        addends = _ADDENDS[nearest](*values)
        return kind(0.0 if all(each == 0 and not np.signbit(each) for each in addends) else -0.0)

    return _each(one, kind)


def _multiply_and_add(a: Any, b: Any, c: Any) -> Any:
    return a * b + c


def _nearly_multiply_and_add(a: Any, b: Any, c: Any) -> Any:
    """Do so with floats; an infinite addend is left as it is, though the product overflows."""
    return c if math.isinf(c) and math.isfinite(a) and math.isfinite(b) else a * b + c


_ADDENDS: dict[Callable[..., Any], Callable[..., tuple[Any, ...]]] = {
    np.add: lambda a, b: (a, b),
    np.subtract: lambda a, b: (a, -b),
    _nearly_multiply_and_add: lambda a, b, c: (a * b, c),
}
"""What an operation adds up."""


def fused(mode: Mode, dtype: str) -> Callable[..., Vector]:
    """Make `a * b + c` with a single rounding in a direction."""
    if mode == "rn":
        return fma
    if dtype == "float64":
        return fused_one_by_one(mode, dtype)

    def compute(a: Vector, b: Vector, c: Vector) -> Vector:
        with np.errstate(all="ignore"):
            product = a.astype(np.float64) * b.astype(np.float64)  # exact
            odd = _add_to_odd(product, c.astype(np.float64))
            zeros = (product == 0) & (c == 0) & (np.signbit(product) == np.signbit(c))
            return _toward(odd, a.dtype, mode, exact_zero=zeros)

    return compute


def _toward(value: Vector, dtype: np.dtype[Any], mode: Mode, exact_zero: Vector) -> Vector:
    """Round float64, itself rounded to odd, to a narrower type in a direction."""
    near = value.astype(dtype)
    zero, down, up = dtype.type(0), dtype.type(-np.inf), dtype.type(np.inf)
    below = np.nextafter(near, down)
    above = np.nextafter(near, up)
    found = near
    if mode == "rd":
        found = np.where(near > value, below, near)
        cancelled = (near == 0) & (value == 0) & ~exact_zero
        found = np.where(cancelled, -zero, found)
    elif mode == "ru":
        found = np.where(near < value, above, near)
    elif mode == "rz":
        found = np.where((near > value) & (value > 0), below, near)
        found = np.where((near < value) & (value < 0), above, found)
    signed: Vector = np.where((found == 0) & (value != 0), np.copysign(zero, value), found)
    return signed.astype(dtype)


def fused_one_by_one(mode: Mode, dtype: str) -> Callable[..., Vector]:
    """Make the same by fractions, lane by lane: a thousand times slower, and right anywhere."""
    return directed(_nearly_multiply_and_add, _multiply_and_add, mode, dtype)


def fma(a: Vector, b: Vector, c: Vector) -> Vector:
    """Compute `a * b + c` with a single rounding to nearest, of floats of one width.

    All lanes at once, after S. Boldo and G. Melquiond, "Emulation of FMA and correctly rounded
    sums: proved algorithms using rounding to odd", IEEE Transactions on Computers 57 (2008).
    """
    with np.errstate(all="ignore"):
        if a.dtype == np.float64:
            return _fma_of_doubles(a, b, c)
        product = a.astype(np.float64) * b.astype(np.float64)  # exact
        narrow: Vector = _add_to_odd(product, c.astype(np.float64)).astype(a.dtype)
    return narrow


def fma_to_odd(a: Vector, b: Vector, c: Vector) -> Vector:
    """Compute `a * b + c` of float64 whose product is exact, rounded so that narrowing is right."""
    with np.errstate(all="ignore"):
        return _add_to_odd(a * b, c)


_SPLITTER = 2.0**27 + 1
_TINY, _HUGE = 2.0**-900, 2.0**900
"""Between them, nothing that `_fma_of_doubles` computes on the way is rounded off or overflows."""


def _fma_of_doubles(a: Vector, b: Vector, c: Vector) -> Vector:
    a, b, c = np.broadcast_arrays(a, b, c)  # one of them may be the same for all lanes
    high = a * b
    sizes = np.abs([a, b, c, high])
    usual = (sizes < _HUGE).all(axis=0) & ((sizes[3] > _TINY) | (a == 0) | (b == 0))
    (a_high, a_low), (b_high, b_low) = _split(a), _split(b)
    low = a_low * b_low - (((high - a_high * b_high) - a_low * b_high) - a_high * b_low)
    middle, last = _add_exactly(c, low)
    first, rest = _add_exactly(high, middle)
    result: Vector = first + _add_to_odd(last, rest)
    if not usual.all():
        rare = ~usual
        result[rare] = fused_one_by_one("rn", "float64")(a[rare], b[rare], c[rare])
    return result


def _split(value: Vector) -> tuple[Vector, Vector]:
    """Divide float64 into two halves of 26 bits."""
    scaled = value * _SPLITTER
    high = scaled - (scaled - value)
    return high, value - high


def _add_exactly(left: Vector, right: Vector) -> tuple[Vector, Vector]:
    """Return a sum and what was rounded off."""
    total = left + right
    virtual = total - left
    return total, (left - (total - virtual)) + (right - virtual)


def _add_to_odd(left: Vector, right: Vector) -> Vector:
    """Add float64; of the two floats around an inexact sum, return the one whose last bit is 1.

    So a second rounding, to fewer bits, ends where a single one would.
    """
    total, error = _add_exactly(left, right)
    bits = total.view(np.int64)
    even = np.isfinite(total) & (error != 0) & (bits & 1 == 0)
    outward = (error > 0) == (total > 0)
    odd: Vector = (bits + np.where(even, np.where(outward, 1, -1), 0)).view(np.float64)
    return odd


def root(mode: Mode, dtype: str, *, reciprocal: bool = False) -> Callable[..., Vector]:
    """Make a square root that rounds in a direction, or 1 divided by it."""
    kind = np.dtype(dtype).type
    if mode == "rn" and not reciprocal:
        return _quietly(np.sqrt)

    def one(value: Any) -> Any:
        near = kind(1) / np.sqrt(kind(value)) if reciprocal else np.sqrt(kind(value))
        if not np.isfinite(near) or near == 0:
            return near
        square = _fraction(value)
        return _choose(near, _by_square(1 / square if reciprocal else square), mode)

    return _each(one, kind)


def converted(mode: Mode, dtype: str) -> Callable[..., Vector]:
    """Make a conversion of integers, or of wider floats, that rounds in a direction."""
    kind = np.dtype(dtype).type
    if mode == "rn":
        return _quietly(lambda value: value.astype(kind))

    def one(value: Any) -> Any:
        near = kind(value)
        if isinstance(value, float) and not math.isfinite(value):
            return near
        exact = Fraction(value)
        return _choose(near, _by_value(exact), mode) if exact else near

    one_by_one = _each(one, kind)

    def compute(value: Vector) -> Vector:
        if value.dtype.kind in "iu" and value.dtype.itemsize == 8:
            return one_by_one(value)  # float64 does not hold it
        with np.errstate(all="ignore"):
            wide = value.astype(np.float64)
            return _toward(wide, np.dtype(dtype), mode, exact_zero=wide == 0)

    return compute


def _quietly(nearest: Callable[..., Vector]) -> Callable[..., Vector]:
    """Make an operation of all lanes at once, which NumPy rounds to nearest."""

    def apply(*values: Vector) -> Vector:
        with np.errstate(all="ignore"):
            return nearest(*values)

    return apply


def _each(one: Callable[..., Any], kind: type[Any]) -> Callable[..., Vector]:
    """Apply a function of numbers to vectors."""
    ufunc: Callable[..., Any] | None = None

    def apply(*values: Vector) -> Vector:
        nonlocal ufunc
        ufunc = ufunc or np.frompyfunc(one, len(values), 1)
        with np.errstate(all="ignore"):
            found: Vector = np.asarray(ufunc(*values)).astype(kind)
        return found

    return apply
