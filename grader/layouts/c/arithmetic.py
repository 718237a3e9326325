"""C's arithmetic on many elements at once: exact, or a fault that names the elements.

Operands are arrays of the NumPy type of one C type, which the result has too. A signed overflow,
undefined in C, is a fault; what the machine's own operators compute (unsigned numbers wrap) is not
here. Elements that are not active may hold anything and never fault.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.facts import Fact, fact
from grader.layouts.arithmetic import Array, largest_of
from grader.layouts.c.types import LONG, CType
from grader.layouts.errors import BoolArray, fault_where


def compute_signed(
    ctype: CType, operator: str, left: Array, right: Array, active: BoolArray
) -> Array:
    """Compute `+ - * / %` of a signed type: exactly, then checked against the type's range.

    Raises:
        LaneFault: division by zero, or an overflow.
    """
    wide: Any = np.int64
    x, y = left.astype(np.int64), right.astype(np.int64)
    if ctype is LONG:
        largest, other = largest_of(x), largest_of(y)
        if max(largest * other, largest + other) > LONG.largest:
            wide = object  # Python's own numbers: slow, but exact
            x, y = x.astype(wide), y.astype(wide)
    if operator == "+":
        return _check_range(ctype, x + y, active)
    if operator == "-":
        return _check_range(ctype, x - y, active)
    if operator == "*":
        return _check_range(ctype, x * y, active)
    _check_divisor(right, active)
    y = np.where(y == 0, 1, y)  # only inactive elements still have it
    rounds_up = (x % y != 0) & ((x < 0) != (y < 0))  # NumPy's quotient rounds down, C's to zero
    quotient = _check_range(ctype, x // y + np.where(rounds_up, 1, 0), active)
    if operator == "/":
        return quotient
    rest: Array = (x - quotient.astype(wide) * y).astype(ctype.dtype)
    return rest


def divide_unsigned(operator: str, left: Array, right: Array, active: BoolArray) -> Array:
    """Compute `/` or `%` of an unsigned type.

    Raises:
        LaneFault: division by zero.
    """
    _check_divisor(right, active)
    result: Array = left // right if operator == "/" else left % right
    return result


def shift(ctype: CType, operator: str, left: Array, right: Array, active: BoolArray) -> Array:
    """Shift in the left operand's type; a shift to the right keeps the sign.

    A left shift drops what leaves the type, as in C++20 and in every CUDA compiler before.

    Raises:
        LaneFault: the count is negative, or too large.
    """
    beyond = right >= ctype.bits
    if right.dtype.kind == "i":
        beyond |= right < 0
    if beyond.any():
        fault_where(beyond, active, fact("layout.undefined-shift", bits=ctype.bits))
        right = np.where(beyond, 0, right)
    count = right.astype(ctype.dtype)
    result: Array = left << count if operator == "<<" else left >> count
    return result


def absolute(ctype: CType, value: Array, active: BoolArray) -> Array:
    """Compute `abs(value)` of a signed type.

    Raises:
        LaneFault: it is the least number.
    """
    negative = compute_signed(ctype, "-", np.zeros_like(value), np.minimum(value, 0), active)
    return np.maximum(value, negative)


def is_rounded_up(left: Array, right: Array) -> BoolArray:
    """Find where a signed quotient is negative and inexact: C rounds it toward zero."""
    divisor = np.where(right == 0, 1, right)
    return np.asarray((left % divisor != 0) & ((left < 0) != (divisor < 0)))


def check_assigned(what: Fact, flag: Array, value: Array, active: BoolArray) -> Array:
    """Return the value of a variable that has one only where its flag is not 0.

    Raises:
        LaneFault: `what`, elsewhere.
    """
    fault_where(flag == 0, active, what)
    return value


def check_reach(value: Array, active: BoolArray) -> Array:
    """Return an index of type `unsigned long long` as one of `long long`.

    Raises:
        LaneFault: it is larger.
    """
    fault_where(value > np.uint64(LONG.largest), active, fact("layout.beyond-any-memory"))
    return value.astype(np.int64)


def _check_divisor(right: Array, active: BoolArray) -> None:
    if not right.all():
        fault_where(right == 0, active, fact("source.division-by-zero"))


def _check_range(ctype: CType, exact: Array, active: BoolArray) -> Array:
    """Convert exact numbers to a signed type."""
    beyond = np.asarray((exact > ctype.largest) | (exact < -ctype.largest - 1), dtype=np.bool_)
    if beyond.any():
        fault_where(beyond, active, fact("layout.overflow", type=ctype.name))
        exact = np.where(beyond, 0, exact)
    return exact.astype(ctype.dtype)
