"""C's integer types, and arithmetic of them on many elements at once.

A value is a type with an array of that type's NumPy type, of shape (n,), or (1,) where all elements
agree. Unsigned numbers wrap; a signed overflow, undefined in C, is a fault. Sizes are those of
Linux: `long` has 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from grader.facts import fact
from grader.layouts.arithmetic import Array, largest_of
from grader.layouts.errors import BoolArray, fault_where

_LARGEST_64 = (1 << 63) - 1


class CType(NamedTuple):
    """An integer type. Of two operands, the type of higher `rank` is that of the result."""

    name: str
    bits: int
    signed: bool
    dtype: type[np.integer[Any]]
    rank: int

    @property
    def largest(self) -> int:
        """The greatest number of this type."""
        return (1 << self.bits - self.signed) - 1


INT = CType("int", 32, signed=True, dtype=np.int32, rank=0)
UNSIGNED = CType("unsigned", 32, signed=False, dtype=np.uint32, rank=1)
LONG = CType("long long", 64, signed=True, dtype=np.int64, rank=2)
ULONG = CType("unsigned long long", 64, signed=False, dtype=np.uint64, rank=3)

TYPES = {
    **dict.fromkeys(("int", "signed", "signed int", "int32_t"), INT),
    **dict.fromkeys(("unsigned", "unsigned int", "uint32_t", "uint"), UNSIGNED),
    **dict.fromkeys(("long", "long int", "long long", "long long int", "int64_t"), LONG),
    **dict.fromkeys(("unsigned long", "unsigned long long", "uint64_t", "size_t"), ULONG),
}
"""The types by the names that a source may use."""


class CValue(NamedTuple):
    """A type and (n,) or (1,) numbers of it."""

    type: CType
    data: Array

    def convert(self, ctype: CType) -> CValue:
        """Convert as C does: modulo the size."""
        return self if ctype is self.type else CValue(ctype, self.data.astype(ctype.dtype))


def c_value(ctype: CType, data: Any) -> CValue:
    """Make a value of a type from numbers, or from one number for all elements."""
    return CValue(ctype, np.atleast_1d(np.asarray(data)).astype(ctype.dtype))


def boolean(holds: BoolArray) -> CValue:
    """Make a truth value; C's comparisons are of type int."""
    return CValue(INT, holds.astype(np.int32))


def common(left: CValue, right: CValue) -> tuple[CType, CValue, CValue]:
    """Convert both operands to the type of higher rank: int with unsigned becomes unsigned."""
    ctype = left.type if left.type.rank >= right.type.rank else right.type
    return ctype, left.convert(ctype), right.convert(ctype)


def operate(operator: str, left: CValue, right: CValue, active: BoolArray) -> CValue:
    """Compute `left operator right`, for any operator but `&&` and `||`.

    Raises:
        LaneFault: division by zero, a shift by too many bits, a signed overflow.
    """
    if operator in ("<<", ">>"):
        return _shift(operator, left, right, active)
    ctype, left, right = common(left, right)
    if operator in _COMPARE:
        return boolean(_COMPARE[operator](left.data, right.data))
    if operator in _BITS:
        return CValue(ctype, _BITS[operator](left.data, right.data))
    if operator in ("/", "%") and not right.data.all():
        fault_where(right.data == 0, active, fact("source.division-by-zero"))
    if ctype.signed:
        return _compute_signed(operator, ctype, left.data, right.data, active)
    return CValue(ctype, _EXACT[operator](left.data, right.data))


def negative_and_inexact(left: CValue, right: CValue) -> BoolArray:
    """Find where a signed quotient is negative and inexact: C rounds it toward zero."""
    ctype, left, right = common(left, right)
    if not ctype.signed:
        return np.zeros(1, dtype=np.bool_)
    divisor = np.where(right.data == 0, 1, right.data)
    return np.asarray((left.data % divisor != 0) & ((left.data < 0) != (divisor < 0)))


def negate(value: CValue, active: BoolArray) -> CValue:
    """Compute `-value`."""
    return operate("-", c_value(value.type, 0), value, active)


def call_function(name: str, arguments: list[CValue], active: BoolArray) -> CValue:
    """Call a CUDA function: min, max, abs, `__brev`, `__popc`."""
    if name in ("min", "max"):
        ctype, left, right = common(*arguments)
        pick = np.minimum if name == "min" else np.maximum
        return CValue(ctype, pick(left.data, right.data))
    (value,) = arguments
    if name == "abs":
        signed = (
            value if value.type.signed else value.convert(INT if value.type is UNSIGNED else LONG)
        )
        negative = negate(CValue(signed.type, np.minimum(signed.data, 0)), active)
        return CValue(signed.type, np.maximum(signed.data, negative.data))
    bits = np.arange(32, dtype=np.uint32)
    table = value.convert(UNSIGNED).data[:, None] >> bits & np.uint32(1)
    if name == "__popc":
        return c_value(INT, table.sum(axis=1))
    return c_value(UNSIGNED, (table << bits[::-1]).sum(axis=1, dtype=np.uint32))


def _shift(operator: str, left: CValue, right: CValue, active: BoolArray) -> CValue:
    """Shift in the left operand's type; a shift to the right keeps the sign.

    A left shift drops what leaves the type, as in C++20 and in every CUDA compiler before.
    """
    ctype = left.type
    beyond = right.data >= ctype.bits
    if right.type.signed:
        beyond |= right.data < 0
    fault_where(beyond, active, fact("layout.undefined-shift", bits=ctype.bits))
    count = np.where(beyond, 0, right.data).astype(ctype.dtype)
    return CValue(ctype, left.data << count if operator == "<<" else left.data >> count)


def _compute_signed(
    operator: str, ctype: CType, left: Array, right: Array, active: BoolArray
) -> CValue:
    """Compute exactly, then check against the type's range."""
    wide: Any = np.int64
    x, y = left.astype(np.int64), right.astype(np.int64)
    largest, other = largest_of(x), largest_of(y)
    if max(largest * other, largest + other) > _LARGEST_64:
        wide = object  # Python's own numbers: slow, but exact; 64-bit operands only
    x, y = x.astype(wide), y.astype(wide)
    if operator not in ("/", "%"):
        return _wrap_signed(ctype, _EXACT[operator](x, y), active)
    y = np.where(y == 0, 1, y)  # only inactive lanes still have it
    rounds_up = (x % y != 0) & ((x < 0) != (y < 0))  # NumPy's quotient rounds down, C's to zero
    quotient = _wrap_signed(ctype, x // y + np.where(rounds_up, 1, 0), active)
    if operator == "/":
        return quotient
    rest: Array = x - quotient.data.astype(wide) * y
    return CValue(ctype, rest.astype(ctype.dtype))


def _wrap_signed(ctype: CType, exact: Array, active: BoolArray) -> CValue:
    """Convert exact numbers to a signed type."""
    beyond = np.asarray((exact > ctype.largest) | (exact < -ctype.largest - 1), dtype=np.bool_)
    if beyond.any():
        fault_where(beyond, active, fact("layout.overflow", type=ctype.name))
        exact = np.where(beyond, 0, exact)
    return CValue(ctype, exact.astype(ctype.dtype))


_Operation = Callable[[Array, Array], Any]
_EXACT: dict[str, _Operation] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left // right,
    "%": lambda left, right: left % right,
}
_BITS: dict[str, _Operation] = {
    "&": np.bitwise_and,
    "|": np.bitwise_or,
    "^": np.bitwise_xor,
}
_COMPARE: dict[str, _Operation] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
