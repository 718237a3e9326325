"""The functions of libdevice that take or give integers, bits, and tests: what computes each."""

from __future__ import annotations

import numpy as np

from grader.simt.intrinsics.functions import bits, rounding
from grader.simt.intrinsics.functions.fixed_signatures import FixedSignature, Function, Vector
from grader.simt.intrinsics.functions.lanes_in_words import PERMUTATIONS
from grader.simt.intrinsics.functions.rounding import MODES, Mode
from grader.simt.machine import conversion
from grader.simt.program.types import (
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT16,
    INT32,
    INT64,
    UINT32,
    UINT64,
    Scalar,
)


def to_integer(round_off: Function, dtype: Scalar, result: Scalar) -> Function:
    """Round to a whole number and saturate; an unsigned one is returned as its bits."""

    def rounded(value: Vector) -> Vector:
        whole = round_off(value.astype(np.float64))
        return conversion.to_integer(whole, dtype, value.dtype).view(result)

    return rounded


TOWARDS: dict[Mode, Function] = {"rn": np.rint, "rd": np.floor, "ru": np.ceil, "rz": np.trunc}
_INTEGERS = {
    "int": (INT32, INT32),
    "uint": (UINT32, INT32),
    "ll": (INT64, INT64),
    "ull": (UINT64, INT64),
}
"""What each is computed in, and what Numba types it as."""


def _conversions() -> dict[str, FixedSignature]:
    """Return the conversions between floats and integers."""
    found = {}
    for mode in MODES:
        to_single = rounding.converted(mode, "float32")
        found[f"double2float_{mode}"] = FixedSignature((FLOAT32,), (FLOAT64,), to_single)
        for name, (dtype, shown) in _INTEGERS.items():
            for source, real in (("double", FLOAT64), ("float", FLOAT32)):
                there = to_integer(TOWARDS[mode], dtype, shown)
                found[f"{source}2{name}_{mode}"] = FixedSignature((shown,), (real,), there)
                if source == "float" or dtype.itemsize == 8 or mode == "rn":
                    back = _as_bits(dtype, rounding.converted(mode, real.name))
                    found[f"{name}2{source}_{mode}"] = FixedSignature((real,), (shown,), back)
    return found


def _as_bits(dtype: Scalar, function: Function) -> Function:
    """Read the bits of the operands as integers of a dtype."""
    return lambda *values: function(*(value.view(dtype) for value in values))


def _viewed(source: Scalar, result: Scalar) -> FixedSignature:
    return FixedSignature((result,), (source,), lambda value: value.view(result))


def _half_to_float(value: Vector) -> Vector:
    found: Vector = value.view(FLOAT16).astype(np.float32)
    return found


def _low24(value: Vector) -> Vector:
    """Return the low 24 bits, with their sign if the dtype has one."""
    found: Vector = (value << 8) >> 8
    return found


def _mean(left: Vector, right: Vector, more: int) -> Vector:
    found: Vector = (left.astype(np.int64) + right.astype(np.int64) + more) >> 1
    return found


def _integers() -> dict[str, FixedSignature]:
    """Return the functions of integers; those of unsigned ones read the operands' bits so."""
    of32, of64 = (INT32,), (INT64,)
    pairs: dict[str, tuple[Scalar, Function]] = {
        "max": (INT32, np.maximum),
        "min": (INT32, np.minimum),
        "umax": (UINT32, np.maximum),
        "umin": (UINT32, np.minimum),
        "llmax": (INT64, np.maximum),
        "llmin": (INT64, np.minimum),
        "ullmax": (UINT64, np.maximum),
        "ullmin": (UINT64, np.minimum),
        "hadd": (INT32, lambda a, b: _mean(a, b, 0)),
        "rhadd": (INT32, lambda a, b: _mean(a, b, 1)),
        "uhadd": (UINT32, lambda a, b: _mean(a, b, 0)),
        "urhadd": (UINT32, lambda a, b: _mean(a, b, 1)),
        "mul24": (INT32, lambda a, b: _low24(a) * _low24(b)),
        "umul24": (UINT32, lambda a, b: _low24(a) * _low24(b)),
        "mulhi": (INT32, bits.high_product),
        "umulhi": (UINT32, bits.high_product),
        "mul64hi": (INT64, bits.high_product),
        "umul64hi": (UINT64, bits.high_product),
    }
    found = {}
    for name, (dtype, function) in pairs.items():
        shown = of32 if dtype.itemsize == 4 else of64
        found[name] = FixedSignature(shown, shown * 2, _as_bits(dtype, function))
    return {
        **found,
        "sad": FixedSignature(of32, of32 * 3, bits.add_difference),
        "usad": FixedSignature(of32, of32 * 3, _as_bits(UINT32, bits.add_difference)),
        "byte_perm": FixedSignature(of32, of32 * 3, _as_bits(UINT32, PERMUTATIONS[""])),
        "abs": FixedSignature(of32, of32, np.abs),
        "llabs": FixedSignature(of64, of64, np.abs),
        "brev": FixedSignature(of32, of32, bits.brev),
        "brevll": FixedSignature(of64, of64, bits.brev),
        "clz": FixedSignature(of32, of32, bits.clz),
        "clzll": FixedSignature(of32, of64, bits.clz),
        "ffs": FixedSignature(of32, of32, bits.ffs),
        "ffsll": FixedSignature(of32, of64, bits.ffs),
        "popc": FixedSignature(of32, of32, bits.popc),
        "popcll": FixedSignature(of32, of64, bits.popc),
    }


def _join(high: Vector, low: Vector) -> Vector:
    whole = high.astype(np.int64) << np.int64(32) | low.view(np.uint32).astype(np.int64)
    return whole.view(np.float64)


_BITS: dict[str, FixedSignature] = {
    "double_as_longlong": _viewed(FLOAT64, INT64),
    "longlong_as_double": _viewed(INT64, FLOAT64),
    "float_as_int": _viewed(FLOAT32, INT32),
    "int_as_float": _viewed(INT32, FLOAT32),
    "double2hiint": FixedSignature((INT32,), (FLOAT64,), lambda value: value.view(np.int64) >> 32),
    "double2loint": FixedSignature(
        (INT32,), (FLOAT64,), lambda value: value.view(np.uint64).astype(np.uint32).view(np.int32)
    ),
    "hiloint2double": FixedSignature((FLOAT64,), (INT32, INT32), _join),
    "float2half_rn": FixedSignature(
        (INT16,), (FLOAT32,), lambda value: value.astype(np.float16).view(INT16)
    ),
    "half2float": FixedSignature((FLOAT32,), (INT16,), _half_to_float),
}
_TESTS: dict[str, FixedSignature] = {
    **{
        f"{name}{suffix}": FixedSignature((INT32,), (dtype,), function)
        for name, function in (("isinf", np.isinf), ("isnan", np.isnan), ("signbit", np.signbit))
        for suffix, dtype in (("d", FLOAT64), ("f", FLOAT32))
    },
    "isfinited": FixedSignature((INT32,), (FLOAT64,), np.isfinite),
    "finitef": FixedSignature((INT32,), (FLOAT32,), np.isfinite),
}


INTEGERS: dict[str, FixedSignature] = {**_conversions(), **_integers(), **_BITS, **_TESTS}
