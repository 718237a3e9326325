"""Functions of bfloat16, computed in float32 or exactly, and rounded to it once."""

from __future__ import annotations

import numpy as np

from grader.simt.intrinsics.functions.fixed_signatures import (
    COMPARISONS,
    FixedSignature,
    Function,
    Vector,
    widened,
)
from grader.simt.intrinsics.functions.libdevice_integers import TOWARDS, to_integer
from grader.simt.intrinsics.functions.maths import ELEMENTARY
from grader.simt.intrinsics.functions.rounding import MODES, Mode, fma_to_odd
from grader.simt.intrinsics.functions.signed_zeros import (
    larger,
    larger_or_nan,
    smaller,
    smaller_or_nan,
)
from grader.simt.machine.conversion import convert
from grader.simt.program.types import (
    BFLOAT16,
    BOOL,
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
    Scalar,
)

_B = (BFLOAT16,)


def _saturate(value: Vector) -> Vector:
    return np.where(np.isnan(value), 0, np.clip(value, 0, 1))


def _not_negative(value: Vector) -> Vector:
    return np.where((value > 0) | np.isnan(value), value, 0)


def _with_nan(function: Function) -> Function:
    """NaN if either operand is."""
    return lambda a, b: np.where(np.isnan(a) | np.isnan(b), np.nan, function(a, b))


_OF_REALS = "ceil cos exp exp2 floor log log10 log2 sin sqrt tanh trunc"
_UNARY: dict[str, Function] = {
    **{f"h{name}": ELEMENTARY[name] for name in _OF_REALS.split()},
    "habs": np.abs,
    "hneg": np.negative,
    "hexp10": lambda value: np.power(10.0, value),
    "hrcp": lambda value: 1 / value,
    "hrint": np.rint,
    "hrsqrt": lambda value: 1 / np.sqrt(value),
    "htanh_approx": np.tanh,
}
_BINARY: dict[str, Function] = {
    **{f"hadd{suffix}": np.add for suffix in ("", "_rn")},
    **{f"hsub{suffix}": np.subtract for suffix in ("", "_rn")},
    **{f"hmul{suffix}": np.multiply for suffix in ("", "_rn")},
    "hdiv": np.divide,
    "hmax": larger,
    "hmin": smaller,
    "hmax_nan": _with_nan(larger_or_nan),
    "hmin_nan": _with_nan(smaller_or_nan),
    "hadd_sat": lambda a, b: _saturate(a + b),
    "hsub_sat": lambda a, b: _saturate(a - b),
    "hmul_sat": lambda a, b: _saturate(a * b),
}
_FUSED: dict[str, Function] = {
    "hfma": fma_to_odd,
    "hfma_sat": lambda a, b, c: _saturate(fma_to_odd(a, b, c)),
    "hfma_relu": lambda a, b, c: _not_negative(fma_to_odd(a, b, c)),
}
_TESTS: dict[str, Function] = {
    **{f"h{name}": test for name, test in COMPARISONS.items()},
    "hne": lambda a, b: (a < b) | (a > b),
}


def _unordered(function: Function) -> Function:
    """A comparison that holds too if an operand is NaN."""
    return lambda a, b: np.isnan(a) | np.isnan(b) | function(a, b)


def to_bits(value: Vector) -> Vector:
    """Return the bits of bfloat16 as uint16."""
    bits = np.ascontiguousarray(value.astype(np.float32)).view(np.uint32) >> np.uint32(16)
    return bits.astype(np.uint16)


def from_bits(value: Vector) -> Vector:
    """Return the bfloat16 of some bits."""
    bits = np.ascontiguousarray(value).view(np.uint16).astype(np.uint32) << np.uint32(16)
    return bits.view(np.float32).astype(BFLOAT16)


def _toward(mode: Mode) -> Function:
    """Round to bfloat16 in a direction: the neighbor on the wanted side of the nearest one."""

    def apply(value: Vector) -> Vector:
        wide = value.astype(np.longdouble)  # holds 64-bit integers
        near = convert(value.astype(np.float64), BFLOAT16).astype(np.float32)
        if mode == "rn":
            return near
        away = {"rd": near > wide, "ru": near < wide, "rz": np.abs(near) > np.abs(wide)}[mode]
        up = (near < wide) if mode != "rz" else near < 0
        return np.where(away, _step(near, up=up), near)

    return apply


def _step(value: Vector, *, up: Vector) -> Vector:
    """Return the next bfloat16, upward or downward."""
    bits = value.view(np.int32) >> 16
    outward = up == (bits >= 0)
    stepped = np.where(outward, bits + 1, bits - 1)
    smallest = np.where(up, 1, np.int32(-(2**15) + 1))
    stepped = np.where(value == 0, smallest, stepped)
    return (stepped.astype(np.int32) << 16).view(np.float32)


_INTEGERS: tuple[tuple[str, Scalar], ...] = (
    ("short", INT16), ("ushort", UINT16), ("int", INT32), ("uint", UINT32),
    ("ll", INT64), ("ull", UINT64),
)  # fmt: skip


def _conversions() -> dict[str, FixedSignature]:
    """Return the conversions, each by its name in CUDA C++ and by that of its types."""
    found: dict[str, FixedSignature] = {}
    for mode in MODES:
        for name, dtype in (*_INTEGERS, ("float", FLOAT32)):
            made = FixedSignature(_B, (dtype,), _toward(mode))
            found[f"{name}2bfloat16_{mode}"] = found[f"{dtype.name}_to_bfloat16_{mode}"] = made
        for name, dtype in _INTEGERS:
            made = FixedSignature((dtype,), _B, to_integer(TOWARDS[mode], dtype, dtype))
            found[f"bfloat162{name}_{mode}"] = found[f"bfloat16_to_{dtype.name}_{mode}"] = made
    for name, dtype in (("char", INT8), ("uchar", UINT8)):
        made = FixedSignature((dtype,), _B, to_integer(np.trunc, dtype, dtype))
        found[f"bfloat162{name}_rz"] = found[f"bfloat16_to_{dtype.name}_rz"] = made
    for name, dtype in (("short", INT16), ("ushort", UINT16)):
        made = FixedSignature((dtype,), _B, lambda value, dtype=dtype: to_bits(value).view(dtype))
        found[f"bfloat16_as_{name}"] = found[f"bfloat16_as_{dtype.name}"] = made
        back = FixedSignature(_B, (dtype,), from_bits)
        found[f"{name}_as_bfloat16"] = found[f"{dtype.name}_as_bfloat16"] = back
    for name, dtype in (("float", FLOAT32), ("double", FLOAT64)):
        made = FixedSignature(_B, (dtype,), lambda value: value)
        found[f"{name}2bfloat16"] = found[f"{dtype.name}_to_bfloat16"] = made
    found["bfloat162float"] = FixedSignature((FLOAT32,), _B, lambda value: value)
    found["bfloat16_to_float32"] = found["bfloat162float"]
    return found


ENTRIES: dict[str, FixedSignature] = {
    **{name: FixedSignature(_B, _B, widened(function)) for name, function in _UNARY.items()},
    **{name: FixedSignature(_B, _B * 2, widened(function)) for name, function in _BINARY.items()},
    **{name: FixedSignature(_B, _B * 3, widened(function)) for name, function in _FUSED.items()},
    **{name: FixedSignature((BOOL,), _B * 2, function) for name, function in _TESTS.items()},
    **{
        f"{name}u": FixedSignature((BOOL,), _B * 2, _unordered(function))
        for name, function in _TESTS.items()
    },
    "hisnan": FixedSignature((BOOL,), _B, np.isnan),
    "hisinf": FixedSignature((INT32,), _B, lambda value: np.isinf(value) * np.sign(value)),
    **_conversions(),
}
"""Every function, by its names."""
PLAIN_NAMES = _UNARY.keys() - {"habs", "hneg"}
"""Those whose names in CUDA C++ have no underscores."""
