"""Converts vectors and tuples of them from type to type, as a device does."""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.program.types import BFLOAT16, BOOL, Scalar, Tuple, Type, number

Vector = NDArray[Any]


def uniform(value: Any, dtype: Scalar) -> Vector:
    """Make a vector that holds one number for all threads."""
    if dtype.kind in "iu":  # wraps, where NumPy would refuse
        bits = 8 * dtype.itemsize
        value = int(value) & ((1 << bits) - 1)
        wrapped: Vector = np.array([[value]], dtype=f"u{dtype.itemsize}").view(dtype)
        return wrapped
    with np.errstate(all="ignore"):
        return convert(np.array([[value]]), dtype)


def convert(value: Vector, dtype: Scalar) -> Vector:
    """Convert as a device does: floats beyond an integer's range saturate.

    A byte is the low half of 16 bits, which is what libNVVM makes of `fptosi` and `fptoui`.
    """
    if dtype == BFLOAT16:
        return _to_bfloat16(value)  # in any case: what NumPy computes with it is not rounded
    if value.dtype == dtype:
        return value
    if dtype == BOOL:
        return np.not_equal(value, 0)
    if value.dtype.kind == "f" and dtype.kind in "iu":
        if dtype.itemsize == 1 and value.dtype.itemsize > 2:
            return to_integer(value, np.dtype(f"{dtype.kind}2"), value.dtype).astype(dtype)
        return to_integer(value, dtype, value.dtype)
    return value.astype(dtype)


def _to_bfloat16(value: Vector) -> Vector:
    """Round to 8 bits of precision, ties to even, at once also from float64."""
    wide = value.astype(np.float64)
    near = wide.astype(np.float32)
    bits = near.view(np.uint32)
    halfway = (bits & np.uint32(0xFFFF)) == np.uint32(0x8000)  # perhaps made so by rounding
    bits = np.where(halfway & (np.abs(wide) > np.abs(near)), bits + np.uint32(1), bits)
    bits = np.where(halfway & (np.abs(wide) < np.abs(near)), bits - np.uint32(1), bits)
    even = bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))
    rounded = (even & np.uint32(0xFFFF0000)).view(np.float32)
    return np.where(np.isnan(near), np.float32(np.nan), rounded).astype(BFLOAT16)


def to_integer(value: Vector, dtype: Scalar, source: Scalar) -> Vector:
    """Convert floats as PTX's `cvt` does: beyond the range they saturate.

    NaN becomes zero, or the sign bit alone where 64 bits take part (PTX ISA, `cvt`).

    Args:
        source: what the floats were before they were rounded to whole numbers.
    """
    limits = np.iinfo(dtype)
    wide = value.astype(np.float64)
    result = wide.astype(dtype)
    low, high = float(limits.min), float(limits.max)
    wrong = ~((wide > low - 1) & (wide < high)) if dtype.itemsize < 8 else ~(abs(wide) < 2.0**63)
    if wrong.any():
        sign = np.array(1 << 8 * dtype.itemsize - 1, f"u{dtype.itemsize}").view(dtype)
        nan = sign if 8 in (dtype.itemsize, source.itemsize) else np.zeros((), dtype)
        result = np.where(wide >= high, limits.max, result).astype(dtype)
        result = np.where(wide <= low, limits.min, result).astype(dtype)
        result = np.where(np.isnan(wide), nan, result).astype(dtype)
    return result


def as_type(value: Any, kind: Type) -> Any:
    """Convert a value to a joined type."""
    if isinstance(kind, Tuple):
        return tuple(as_type(item, part) for item, part in zip(value, kind.items, strict=True))
    dtype = number(kind)
    if dtype is None or value is None:
        return value
    return value if value.dtype == dtype else convert(value, dtype)


def member_number(value: Enum) -> int:
    """Return the number that stands for a member in a vector."""
    return int(value) if isinstance(value, int) else list(type(value)).index(value)
