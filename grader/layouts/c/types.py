"""C's integer types, and numbers of them for many elements. `long` has 64 bits, as on Linux."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from grader.layouts.arithmetic import Array


class CType(NamedTuple):
    """An integer type. Of two operands, the type of higher `rank` is that of the result."""

    name: str
    bits: int
    signed: bool
    dtype: np.dtype[Any]
    rank: int

    @property
    def largest(self) -> int:
        """The greatest number of this type."""
        return (1 << self.bits - self.signed) - 1


INT = CType("int", 32, signed=True, dtype=np.dtype(np.int32), rank=0)
UNSIGNED = CType("unsigned", 32, signed=False, dtype=np.dtype(np.uint32), rank=1)
LONG = CType("long long", 64, signed=True, dtype=np.dtype(np.int64), rank=2)
ULONG = CType("unsigned long long", 64, signed=False, dtype=np.dtype(np.uint64), rank=3)

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


def c_value(ctype: CType, data: Any) -> CValue:
    """Make a value of a type from numbers, or from one number for all elements."""
    return CValue(ctype, np.atleast_1d(np.asarray(data)).astype(ctype.dtype))


def make_constant(value: int) -> CValue:
    """Make a constant of the caller an int, or a long if it is too large for one."""
    return c_value(INT if -INT.largest <= value <= INT.largest else LONG, value)
