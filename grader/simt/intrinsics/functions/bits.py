"""Bits and single instructions: popc, brev, clz, ffs, nanosleep."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value

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


def sleep(_here: ExecutionPoint, _nanoseconds: Value) -> None:
    """Wait, which no thread notices."""
