"""Registers and what they hold: PTX's types, as the dtypes of the emulator's values.

A register is bits; which type they are of, each instruction says. It is held as the dtype of its
declared type, integers as signed ones, and viewed as another dtype of the same width for free.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.machine.conversion import convert
from grader.simt.program import nodes
from grader.simt.program.nodes import Apply, Convert, Expression
from grader.simt.program.types import (
    BFLOAT16,
    BOOL,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT8,
    INT16,
    INT32,
    INT64,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    Pointer,
    Scalar,
)

Vector = NDArray[Any]

DTYPES: dict[str, Scalar] = {
    "pred": BOOL,
    "b8": UINT8, "u8": UINT8, "s8": INT8,
    "b16": UINT16, "u16": UINT16, "s16": INT16, "f16": FLOAT16, "bf16": UINT16,
    "b32": UINT32, "u32": UINT32, "s32": INT32, "f32": FLOAT32, "tf32": FLOAT32,
    "f16x2": UINT32, "bf16x2": UINT32, "e4m3x2": UINT16, "e5m2x2": UINT16,
    "b64": UINT64, "u64": UINT64, "s64": INT64, "f64": FLOAT64, "f32x2": UINT64,
}  # fmt: skip
"""What a value of each type is computed as; packed halves and bfloat16 are bits."""

POINTER = Pointer(UINT8, "generic")

_HELD = {1: INT16, 2: INT16, 4: INT32, 8: INT64}
"""What a register of integers or bits is held as, by its bytes: none is narrower than 16 bits."""
_BITS = {1: UINT8, 2: UINT16, 4: UINT32, 8: UINT64}


def held_as(kind: str) -> Scalar:
    """Return the dtype that a register of a type is held as."""
    dtype = DTYPES[kind]
    if dtype in (BOOL, FLOAT32, FLOAT64):
        return dtype
    return _HELD[dtype.itemsize]


def view(value: Vector, dtype: Scalar) -> Vector:
    """Return the same bits as another dtype: the low ones of a wider value, or widened by zeros."""
    if value.dtype == dtype:
        return value
    if BOOL in (value.dtype, dtype):
        return value.astype(dtype)
    if value.dtype.itemsize == dtype.itemsize:
        return value.view(dtype)
    bits = value.view(_BITS[value.dtype.itemsize])
    return bits.astype(_BITS[dtype.itemsize]).view(dtype)


def viewed(node: Expression, dtype: Scalar) -> Expression:
    """Return an expression of the same bits as another dtype."""
    return node if node.type == dtype else Apply(dtype, "view", partial(view, dtype=dtype), (node,))


def widen(value: Vector, dtype: Scalar) -> Vector:
    """Return a number of a narrower register as one of a wider: signed ones keep their sign."""
    return value.astype(dtype) if value.dtype.kind in "iu" else view(value, dtype)


def to_int64(value: Vector) -> Vector:
    """Return integers as int64."""
    return value.astype(INT64)


def moved(pointer: Expression, index: Expression, step: int = 1) -> Expression:
    """Return an address, moved by a number of steps of some bytes."""
    return nodes.Move(POINTER, as_pointer(pointer), index, step)


def as_pointer(address: Expression) -> Expression:
    """Return an address of 64 bits as a pointer: the same number."""
    return address if isinstance(address.type, Pointer) else Convert(POINTER, address)


def apply(
    dtype: Scalar, name: str, function: Callable[..., Any], *operands: Expression
) -> Expression:
    """Return an expression that applies a function to values."""
    return Apply(dtype, name, function, operands)


def split_halves(value: Vector) -> Vector:
    """Return packed halves as (…, 2) uint16, the lower one first."""
    flat = np.ascontiguousarray(value).view(UINT16)
    return flat.reshape(*value.shape, -1)


def join_halves(parts: Vector) -> Vector:
    """Return (…, 2) uint16 as packed halves."""
    joined: Vector = np.ascontiguousarray(parts).view(UINT32)[..., 0]
    return joined


def from_bfloat(bits: Vector) -> Vector:
    """Return bfloat16 as float32, exactly."""
    wide: Vector = (bits.astype(UINT32) << UINT32.type(16)).view(FLOAT32)
    return wide


def to_bfloat(value: Vector) -> Vector:
    """Round to bfloat16 bits, to nearest even; every NaN is 0x7fff, as compiled."""
    near = convert(value, BFLOAT16).astype(FLOAT32)
    bits = (np.ascontiguousarray(near).view(UINT32) >> UINT32.type(16)).astype(UINT16)
    rounded: Vector = np.where(np.isnan(near), UINT16.type(0x7FFF), bits)
    return rounded
