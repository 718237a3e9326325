"""Floating point (PTX ISA 9.7.3 to 9.7.5).

What the hardware approximates (`ex2.approx`, `sin.approx`, …) is computed in double precision and
rounded once, of halves toward zero: within the ISA's bounds, and not always the same bits. What is
infinite, zero, or NaN is so on an H200.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.simt.intrinsics.functions import rounding
from grader.simt.intrinsics.functions.approximations import flush
from grader.simt.program.types import FLOAT16, FLOAT32, FLOAT64
from grader.simt.ptx.instructions.converting import round_to_bfloat
from grader.simt.ptx.instructions.kinds import (
    Compute,
    Form,
    float_function,
    is_float,
    mode_of,
    rounded,
)
from grader.simt.ptx.values import DTYPES, Vector, from_bfloat


def approximate(function: Compute, kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make an operation that the hardware approximates."""
    if not is_float(kind):
        return None
    cut = _CUTS.get(kind.removesuffix("x2"), np.asarray)
    flushes = kind.startswith("bf") and "ftz" in modifiers

    def compute(value: Vector) -> Any:
        found = cut(function(value.astype(FLOAT64)))
        return (flush(found) if flushes else found).astype(value.dtype)

    return Form.alike(kind, 1, float_function(kind, compute, modifiers))


def _cut_to_half(value: Vector) -> Any:
    single = value.astype(FLOAT32)
    found = _TO_HALF(single)
    return np.where(np.abs(single) < 2.0**16, found, single).astype(FLOAT16)


def _cut_to_bfloat(value: Vector) -> Any:
    return from_bfloat(round_to_bfloat("rz", value.astype(FLOAT32)))


_TO_HALF = rounding.converted("rz", "float16")
_CUTS: dict[str, Compute] = {"f16": _cut_to_half, "bf16": _cut_to_bfloat}


def approximate_wave(function: Compute, kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `sin` or `cos`."""
    return Form.alike(kind, 1, float_function(kind, function, modifiers)) if kind == "f32" else None


def root(kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `sqrt`."""
    mode = mode_of(modifiers)
    if kind not in ("f32", "f64"):
        return None
    function = np.sqrt if mode == "rn" else rounding.root(mode, DTYPES[kind].name)
    return Form.alike(kind, 1, float_function(kind, function, modifiers))


def reciprocal(kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `rcp`."""
    if kind not in ("f32", "f64"):
        return None
    divide, one = rounded(kind, modifiers, np.divide, lambda a, b: a / b), DTYPES[kind].type(1)

    def compute(value: Vector) -> Any:
        return divide(np.full_like(value, one), value)

    return Form.alike(kind, 1, float_function(kind, compute, modifiers))


def copysign(kind: str, _modifiers: Sequence[str]) -> Form | None:
    """Make `copysign`."""
    if kind not in ("f32", "f64"):
        return None
    return Form.alike(kind, 2, lambda sign, value: np.copysign(value, sign))


def _is_normal(value: Vector) -> Any:
    """Return where a number is normal; zeros are, on an H200."""
    return np.isfinite(value) & ((value == 0) | (np.abs(value) >= np.finfo(value.dtype).tiny))


_TESTS: dict[str, Compute] = {
    "finite": np.isfinite,
    "infinite": np.isinf,
    "number": lambda value: ~np.isnan(value),
    "notanumber": np.isnan,
    "normal": _is_normal,
    "subnormal": lambda value: (value != 0) & (np.abs(value) < np.finfo(value.dtype).tiny),
}


def testp(kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `testp`."""
    test = _TESTS.get(modifiers[0])
    return None if test is None else Form(("pred",), (kind,), test)
