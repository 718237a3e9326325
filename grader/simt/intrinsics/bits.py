"""Bits and single instructions: popc, brev, clz, ffs, fma, cbrt, selp, nanosleep."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.machine.frame import Frame, Value
from grader.simt.numba.library.calling import Table, apply_function, arguments, elementwise
from grader.simt.numba.typed import TypedValue, cast
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression
from grader.simt.program.types import (
    FLOAT32,
    FLOAT64,
    INT16,
    INT32,
    INT64,
    UINT16,
    UINT32,
    UINT64,
    Nothing,
)

Vector = NDArray[Any]
_SELECTED = (FLOAT64, FLOAT32, INT16, UINT16, INT32, UINT32, INT64, UINT64)


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


def _fma(a: Vector, b: Vector, c: Vector) -> Vector:
    """Compute with a single rounding: float32 in float64, float64 in the machine's long double."""
    wide = np.float64 if a.dtype == np.float32 else np.longdouble
    result: Vector = (a.astype(wide) * b.astype(wide) + c.astype(wide)).astype(a.dtype)
    return result


def _selp(unit: Unit, node: ast.Call) -> Expression:
    given = arguments(unit, node, "cuda.selp", 3)
    test = unit.compile_test(given[0])
    (first, dtype), (second, other) = unit.compile_number(given[1]), unit.compile_number(given[2])
    if dtype != other or dtype not in _SELECTED:
        raise unit.typing_error(node, fact("simt.select-types", one=dtype.name, other=other.name))
    operands = test, cast(first, dtype), cast(second, dtype)
    return apply_function("selp", np.where, operands, dtype)


def _nanosleep(unit: Unit, node: ast.Call) -> Expression:
    (given,) = arguments(unit, node, "cuda.nanosleep", 1)
    typed, _ = unit.compile_number(given)

    def evaluate(frame: Frame, mask: object) -> Value:
        typed.evaluate(frame, mask)

    return TypedValue(Nothing(), evaluate)


CALLS: Table = {
    "cuda.popc": elementwise("cuda.popc", "bits of one", popc),
    "cuda.brev": elementwise("cuda.brev", "brev", brev),
    "cuda.clz": elementwise("cuda.clz", "bits of one", clz),
    "cuda.ffs": elementwise("cuda.ffs", "ffs", ffs),
    "cuda.fma": elementwise("cuda.fma", "fma", _fma, 3),
    "cuda.cbrt": elementwise("cuda.cbrt", "real", np.cbrt),
    "cuda.selp": _selp,
    "cuda.nanosleep": _nanosleep,
}
