"""NVIDIA's mathematical functions, each with its one signature.

Unsigned integers are typed as signed ones, as Numba declares them. A function that returns by
pointer gives a tuple. Those of float32 are computed in float64 and rounded: within what NVIDIA
documents, mostly nearer. The fast ones have the same results, where none of their own is
documented.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from grader.simt.intrinsics.functions import approximations, rounding, special_functions
from grader.simt.intrinsics.functions.fixed_signatures import (
    FixedSignature,
    Function,
    Vector,
    widened,
)
from grader.simt.intrinsics.functions.libdevice_integers import INTEGERS, to_integer
from grader.simt.intrinsics.functions.maths import ELEMENTARY
from grader.simt.intrinsics.functions.rounding import MODES
from grader.simt.intrinsics.functions.signed_zeros import larger, smaller
from grader.simt.intrinsics.functions.special_functions import bessel, each
from grader.simt.program.types import FLOAT32, FLOAT64, INT32, INT64, Scalar

_UNARY: dict[str, Function] = {
    **ELEMENTARY,
    "cbrt": np.cbrt,
    "cospi": special_functions.cospi,
    "erf": each(math.erf),
    "erfc": each(math.erfc),
    "erfcinv": each(special_functions.erfcinv),
    "erfcx": each(special_functions.erfcx),
    "erfinv": each(special_functions.erfinv),
    "exp10": lambda value: np.power(10.0, value),
    "lgamma": each(special_functions.lgamma),
    "logb": special_functions.logb,
    "nearbyint": np.rint,
    "normcdf": each(special_functions.normcdf),
    "normcdfinv": each(special_functions.normcdfinv),
    "rcbrt": lambda value: 1 / np.cbrt(value),
    "rint": np.rint,
    "round": special_functions.round_half_away,
    "rsqrt": lambda value: 1 / np.sqrt(value),
    "sinpi": special_functions.sinpi,
    "tgamma": each(special_functions.tgamma),
}
_TUPLES: dict[str, Function] = {
    "modf": np.modf,
    "sincos": lambda value: (np.sin(value), np.cos(value)),
    "sincospi": lambda value: (special_functions.sinpi(value), special_functions.cospi(value)),
}


def _fdim(left: Vector, right: Vector) -> Vector:
    found: Vector = np.where(left <= right, 0, left - right)
    return found


def _remquo(left: Vector, right: Vector) -> tuple[Vector, Vector]:
    found: Any = np.frompyfunc(special_functions.remquo, 2, 2)(left, right)
    rest, whole = found
    return np.asarray(rest).astype(np.float64), np.asarray(whole).astype(np.int32)


_BINARY: dict[str, Function] = {
    "atan2": np.arctan2,
    "copysign": np.copysign,
    "fdim": _fdim,
    "fmax": larger,
    "fmin": smaller,
    "fmod": np.fmod,
    "hypot": np.hypot,
    "pow": np.power,
    "remainder": each(math.remainder),
}
_WITH_INTEGER: dict[str, Function] = {
    "ldexp": np.ldexp,
    "powi": lambda base, power: np.power(base, power.astype(np.float64)),
    "scalbn": np.ldexp,
}


def _ilogb(value: Vector) -> Vector:
    """Return the exponent; the largest integer of what is infinite, the smallest of 0 and NaN."""
    found = np.frexp(value)[1].astype(np.int64) - 1
    limits = np.iinfo(np.int32)
    found = np.where(np.isinf(value), limits.max, found)
    return np.where((value == 0) | np.isnan(value), limits.min, found)


def _of_pairs(suffix: str, dtype: Scalar) -> dict[str, FixedSignature]:
    """Return the functions that exist for float64 and, with an `f` behind, for float32."""
    one, two, whole = (dtype,), (dtype, dtype), (dtype, INT32)
    found = {
        **{name: FixedSignature(one, one, widened(function)) for name, function in _UNARY.items()},
        **{name: FixedSignature(two, one, widened(function)) for name, function in _TUPLES.items()},
        **{name: FixedSignature(one, two, widened(function)) for name, function in _BINARY.items()},
        **{name: FixedSignature(one, whole, _scaled(f)) for name, f in _WITH_INTEGER.items()},
        "fma": FixedSignature(one, (dtype,) * 3, rounding.fused("rn", dtype.name)),
        "frexp": FixedSignature(whole, one, np.frexp),
        "ilogb": FixedSignature((INT32,), one, _ilogb),
        "llrint": FixedSignature((INT64,), one, to_integer(np.rint, INT64, INT64)),
        "llround": FixedSignature(
            (INT64,), one, to_integer(special_functions.round_half_away, INT64, INT64)
        ),
        "nextafter": FixedSignature(one, two, np.nextafter),
        "remquo": FixedSignature(whole, two, widened(_remquo)),
    }
    return {f"{name}{suffix}": entry for name, entry in found.items()}


def _scaled(function: Function) -> Function:
    return lambda value, power: function(value.astype(np.float64), power)


def _divide(left: Fraction, right: Fraction) -> Fraction:
    return left / right


def _arithmetic(letter: str, dtype: Scalar) -> dict[str, FixedSignature]:
    """Return what rounds in a direction: `dadd_rd`, `frcp_rz`."""
    one, name = (dtype,), dtype.name
    fused = "fma" if dtype == FLOAT64 else "fmaf"
    found = {}
    for mode in MODES:
        operations: dict[str, Function] = {
            f"{letter}add": rounding.directed(np.add, lambda a, b: a + b, mode, name),
            f"{letter}mul": rounding.directed(np.multiply, lambda a, b: a * b, mode, name),
            f"{letter}div": rounding.directed(np.divide, _divide, mode, name),
        }
        if dtype == FLOAT32:
            operations["fsub"] = rounding.directed(np.subtract, lambda a, b: a - b, mode, name)
        for called, function in operations.items():
            found[f"{called}_{mode}"] = FixedSignature(one, one * 2, function)
        reciprocal = rounding.directed(np.reciprocal, lambda a: 1 / a, mode, name)
        found[f"{letter}rcp_{mode}"] = FixedSignature(one, one, reciprocal)
        found[f"{letter}sqrt_{mode}"] = FixedSignature(one, one, rounding.root(mode, name))
        found[f"{fused}_{mode}"] = FixedSignature(one, one * 3, rounding.fused(mode, name))
    if dtype == FLOAT32:
        root = rounding.root("rn", name, reciprocal=True)
        found["frsqrt_rn"] = FixedSignature(one, one, root)
    return found


def _fast_power(base: Vector, power: Vector) -> Vector:
    """Compute as documented, by the logarithm: NaN of a negative number."""
    found: Vector = np.exp2(power * np.log2(base))
    return found


def _fast_sine_and_cosine(value: Vector) -> tuple[Vector, Vector]:
    return approximations.sine(value), approximations.cosine(value)


def _fast_tangent(value: Vector) -> Vector:
    return approximations.divide(*_fast_sine_and_cosine(value))


def _saturate(value: Vector) -> Vector:
    return np.where(value > 0, np.minimum(value, 1), np.float32(0))  # NaN and -0 are 0, too


_SINGLE = (FLOAT32,)
_FAST: dict[str, FixedSignature] = {
    **{
        f"fast_{name}f": FixedSignature(_SINGLE, _SINGLE, widened(_UNARY[name]))
        for name in ("exp10", "exp", "log10", "log2", "log")
    },
    "fast_sinf": FixedSignature(_SINGLE, _SINGLE, approximations.sine),
    "fast_cosf": FixedSignature(_SINGLE, _SINGLE, approximations.cosine),
    "fast_tanf": FixedSignature(_SINGLE, _SINGLE, _fast_tangent),
    "fast_sincosf": FixedSignature(_SINGLE * 2, _SINGLE, _fast_sine_and_cosine),
    "fast_fdividef": FixedSignature(_SINGLE, _SINGLE * 2, approximations.divide),
    "fast_powf": FixedSignature(_SINGLE, _SINGLE * 2, widened(_fast_power)),
    "saturatef": FixedSignature(_SINGLE, _SINGLE, _saturate),
}

REALS: dict[str, FixedSignature] = {
    **_of_pairs("", FLOAT64),
    **_of_pairs("f", FLOAT32),
    **_arithmetic("d", FLOAT64),
    **_arithmetic("f", FLOAT32),
    **_FAST,
}


ENTRIES = {**REALS, **INTEGERS}
"""All but the Bessel functions, by name."""
BESSEL = {
    f"{name}{suffix}": dtype
    for name in ("j0", "j1", "jn", "y0", "y1", "yn")
    for suffix, dtype in (("", FLOAT64), ("f", FLOAT32))
}
"""The type of each Bessel function's result."""


def find_bessel(name: str) -> FixedSignature:
    """Return a Bessel function.

    Raises:
        LookupError: the machine's C library has none.
    """
    own, dtype = name.removesuffix("f"), BESSEL[name]
    operands = (INT32, dtype) if own.endswith("n") else (dtype,)
    return FixedSignature((dtype,), operands, each(bessel(own)))
