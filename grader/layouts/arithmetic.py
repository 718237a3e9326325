"""Python's arithmetic on many elements at once: exact, or a fault that names the lanes.

A value is an array of int64, bool or float64, of shape (n,), or (1,) where all elements agree; or a
tuple of such arrays. Integers stay within `LARGEST`, so that nothing wraps around silently. Lanes
that are not active may hold anything and never fault.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.layouts.errors import BoolArray, LaneFault, fault_where

Array = NDArray[Any]
Value = Array | tuple["Value", ...]

LARGEST = (1 << 62) - 1
"""The sum of two such numbers still fits into 64 bits, so overflow can be seen afterwards."""

_EXACT_FLOAT = 1 << 53
_MOST_BITS = 62
_WRAPS = 2.0**62.5
_TOO_LARGE = fact("layout.beyond-62-bits")
_FLOAT = fact("layout.float-operand")
_USE_FLOOR = fact("layout.use-floor-division")
_ZERO = fact("source.division-by-zero")
_NEGATIVE_SHIFT = fact("layout.negative-shift")

_Whole = Callable[[Array, Array, BoolArray], Array]


def binary(op: type[ast.operator], left: Array, right: Array, active: BoolArray) -> Array:
    """Compute `left op right`.

    Raises:
        LaneFault: division by zero, a negative shift, a number too large, a float where only
            integers are possible.
    """
    if op is ast.Div:
        return _divide(left, right, active)
    if _is_float(left) or _is_float(right):
        if op not in _FLOATS:
            raise LaneFault(_FLOAT, active, _USE_FLOOR, whole=True)
        floats: Array = _FLOATS[op](_as_float(left, active), _as_float(right, active))
        return floats
    return _WHOLE[op](as_whole(left), as_whole(right), active)


def negate(value: Array) -> Array:
    """Compute `-value`."""
    result: Array = -_number(value)
    return result


def invert(value: Array, active: BoolArray) -> Array:
    """Compute `~value`."""
    if _is_float(value):
        raise LaneFault(_FLOAT, active, _USE_FLOOR, whole=True)
    result: Array = ~as_whole(value)
    return result


def truth(value: Array) -> BoolArray:
    """Return True in each element that counts as true."""
    return value if value.dtype == np.bool_ else value != 0


def compare(op: type[ast.cmpop], left: Array, right: Array, active: BoolArray) -> BoolArray:
    """Compute `left op right`, an array of bool."""
    if _is_float(left) != _is_float(right):
        left, right = _as_float(left, active), _as_float(right, active)
    result: BoolArray = _COMPARE[op](left, right)
    return result


def choose(mask: BoolArray, yes: Value, no: Value, active: BoolArray) -> Value:
    """Take `yes` where the mask is set, else `no`; `active` is where it matters.

    Raises:
        LaneFault: floats and integers, or a pair here and a number there.
    """
    if isinstance(yes, tuple) or isinstance(no, tuple):
        if not (isinstance(yes, tuple) and isinstance(no, tuple) and len(yes) == len(no)):
            raise LaneFault(fact("layout.pair-or-number"), active)
        return tuple(choose(mask, *both, active) for both in zip(yes, no, strict=True))
    return _choose(mask, yes, no, active)


def absolute(value: Array) -> Array:
    """Compute `abs(value)`."""
    return np.abs(_number(value))


def truncate(value: Array, active: BoolArray) -> Array:
    """Compute `int(value)`, which rounds toward zero."""
    if not _is_float(value):
        return as_whole(value)
    beyond = ~(np.abs(value) < float(LARGEST))
    fault_where(beyond, active, _TOO_LARGE)
    return np.where(beyond, 0.0, value).astype(np.int64)


def take_extreme(values: list[Array], active: BoolArray, *, largest: bool) -> Array:
    """Compute `min(…)` or `max(…)`."""
    pick = np.maximum if largest else np.minimum
    if len({_is_float(value) for value in values}) > 1:
        raise LaneFault(fact("layout.mixed-numbers"), active, _USE_FLOOR, whole=True)
    result: Array = reduce(pick, [_number(value) for value in values])
    return result


def divide_with_rest(left: Array, right: Array, active: BoolArray) -> Value:
    """Compute `divmod(left, right)`."""
    return binary(ast.FloorDiv, left, right, active), binary(ast.Mod, left, right, active)


def as_whole(value: Array) -> Array:
    """Turn bools into 0 and 1."""
    return value.astype(np.int64) if value.dtype == np.bool_ else value


def largest_of(value: Array) -> int:
    """Return the greatest magnitude, inactive lanes included."""
    return max(int(value.max()), -int(value.min()))


def _number(value: Array) -> Array:
    return value if _is_float(value) else as_whole(value)


def _is_float(value: Array) -> bool:
    return value.dtype.kind == "f"


def _as_float(value: Array, active: BoolArray) -> Array:
    if _is_float(value):
        return value
    whole = as_whole(value)
    fault_where(np.abs(whole) > _EXACT_FLOAT, active, fact("layout.beyond-float"))
    return whole.astype(np.float64)


def _choose(mask: BoolArray, yes: Array, no: Array, active: BoolArray) -> Array:
    if _is_float(yes) != _is_float(no):
        raise LaneFault(fact("layout.float-in-some"), active, _USE_FLOOR, whole=True)
    return np.where(mask, yes, no)


def _check_bounds(value: Array, active: BoolArray) -> Array:
    if largest_of(value) > LARGEST:
        fault_where((value > LARGEST) | (value < -LARGEST), active, _TOO_LARGE)
    return value


def _no_zero(right: Array, active: BoolArray) -> None:
    if not right.all():
        fault_where(right == 0, active, _ZERO)


def _divide(left: Array, right: Array, active: BoolArray) -> Array:
    _no_zero(right, active)
    result: Array = _as_float(left, active) / _as_float(right, active)
    return result


def _sum(left: Array, right: Array, active: BoolArray) -> Array:
    return _check_bounds(left + right, active)


def _difference(left: Array, right: Array, active: BoolArray) -> Array:
    return _check_bounds(left - right, active)


def _product(left: Array, right: Array, active: BoolArray) -> Array:
    if largest_of(left) * largest_of(right) > LARGEST:
        # A product this far beyond the bound may wrap; one below is seen by `_check_bounds`.
        estimate = np.abs(left.astype(np.float64) * right)
        fault_where(estimate >= _WRAPS, active, _TOO_LARGE)
    return _check_bounds(left * right, active)


def _quotient(left: Array, right: Array, active: BoolArray) -> Array:
    _no_zero(right, active)
    result: Array = left // right
    return result


def _remainder(left: Array, right: Array, active: BoolArray) -> Array:
    _no_zero(right, active)
    result: Array = left % right
    return result


def _within_62(count: Array) -> Array:
    """Bound the count of a shift; `np.clip` would take three times as long."""
    return np.minimum(np.maximum(count, 0), _MOST_BITS)


def _shift_left(left: Array, right: Array, active: BoolArray) -> Array:
    fault_where(right < 0, active, _NEGATIVE_SHIFT)
    count = _within_62(right)
    lost = (left != 0) & ((right > _MOST_BITS) | (np.abs(left) > LARGEST >> count))
    fault_where(lost, active, _TOO_LARGE)
    result: Array = left << count
    return result


def _shift_right(left: Array, right: Array, active: BoolArray) -> Array:
    fault_where(right < 0, active, _NEGATIVE_SHIFT)
    result: Array = left >> _within_62(right)
    return result


def _power(left: Array, right: Array, active: BoolArray) -> Array:
    if (negative_power := (right < 0) & active).any():
        raise LaneFault(fact("layout.negative-power"), negative_power, whole=True)
    steep = (np.abs(left) > 1) & (right > _MOST_BITS)
    fault_where(steep, active, _TOO_LARGE)
    # Above 62 the base is -1, 0 or 1: then only whether the power is even matters.
    exponent = np.where(right > _MOST_BITS, _MOST_BITS + right % 2, np.maximum(right, 0))
    fault_where(np.abs(np.power(left.astype(np.float64), exponent)) >= _WRAPS, active, _TOO_LARGE)
    return _check_bounds(np.power(left, exponent), active)


def _and(left: Array, right: Array, active: BoolArray) -> Array:
    result: Array = left & right
    return result


def _or(left: Array, right: Array, active: BoolArray) -> Array:
    result: Array = left | right
    return result


def _exclusive_or(left: Array, right: Array, active: BoolArray) -> Array:
    result: Array = left ^ right
    return result


_WHOLE: dict[type[ast.operator], _Whole] = {
    ast.Add: _sum,
    ast.Sub: _difference,
    ast.Mult: _product,
    ast.FloorDiv: _quotient,
    ast.Mod: _remainder,
    ast.Pow: _power,
    ast.LShift: _shift_left,
    ast.RShift: _shift_right,
    ast.BitAnd: _and,
    ast.BitOr: _or,
    ast.BitXor: _exclusive_or,
}
_FLOATS: dict[type[ast.operator], Any] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
}
_COMPARE: dict[type[ast.cmpop], Any] = {
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}
