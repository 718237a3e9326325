"""Bits and single instructions: popc, brev, clz, ffs, nanosleep."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.program.types import INT64, UINT64

Vector = NDArray[Any]


def _to_unsigned(value: Vector) -> Vector:
    return value.view(f"u{value.dtype.itemsize}")


def popc(value: Vector) -> Vector:
    """Count the bits that are set."""
    octets = np.ascontiguousarray(_to_unsigned(value))[..., None].view(np.uint8)
    counted: Vector = np.unpackbits(octets, axis=-1).sum(axis=-1)
    return counted


def brev(value: Vector) -> Vector:
    """Reverse the order of bits."""
    octets = np.ascontiguousarray(value)[..., None].view(np.uint8)
    bits = np.unpackbits(octets, axis=-1, bitorder="little")[..., ::-1]
    packed = np.packbits(bits, axis=-1, bitorder="little")
    turned: Vector = packed.view(value.dtype)[..., 0]
    return turned


def clz(value: Vector) -> Vector:
    """Count the zero bits before the first that is set."""
    width = 8 * value.dtype.itemsize
    octets = np.ascontiguousarray(_to_unsigned(value))[..., None].view(np.uint8)
    bits = np.unpackbits(octets, axis=-1, bitorder="little")[..., ::-1]
    first: Vector = np.where(bits.any(axis=-1), bits.argmax(axis=-1), width)
    return first


def ffs(value: Vector) -> Vector:
    """Return the place of the lowest bit that is set, from 1; 0 if none is."""
    octets = np.ascontiguousarray(_to_unsigned(value))[..., None].view(np.uint8)
    bits = np.unpackbits(octets, axis=-1, bitorder="little")
    found: Vector = np.where(bits.any(axis=-1), bits.argmax(axis=-1) + 1, 0)
    return found


def high_product(left: Vector, right: Vector) -> Any:
    """Return the upper half of the product of integers."""
    dtype = left.dtype
    if dtype.itemsize < 8:
        wide = np.dtype(f"{dtype.kind}{2 * dtype.itemsize}")
        return (left.astype(wide) * right.astype(wide) >> wide.type(8 * dtype.itemsize)).astype(
            dtype
        )
    a, b = left.view(UINT64), right.view(UINT64)
    half, low = UINT64.type(32), UINT64.type(0xFFFFFFFF)
    a1, a0, b1, b0 = a >> half, a & low, b >> half, b & low
    middle = (a0 * b0 >> half) + (a1 * b0 & low) + (a0 * b1 & low)
    found = a1 * b1 + (a1 * b0 >> half) + (a0 * b1 >> half) + (middle >> half)
    if dtype == INT64:
        found = found - np.where(left < 0, b, 0).astype(UINT64)
        found = found - np.where(right < 0, a, 0).astype(UINT64)
    return found.view(dtype)


def add_difference(left: Vector, right: Vector, more: Vector) -> Any:
    """Add the absolute difference of two integers to a third one."""
    return more + np.where(left < right, right - left, left - right)


def sleep(_here: ExecutionPoint, _nanoseconds: Value) -> None:
    """Wait, which no thread notices."""
