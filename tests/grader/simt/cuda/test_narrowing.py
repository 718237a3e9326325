"""Floats that become short integers, as nvcc converts them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.grader.simt.cuda.library.kernels import compute

GIVEN = [320.7, -100.5, 70_000.0, -70_000.0, 1e10, -1e10, math.nan]


def through_32_bits(values: np.ndarray, kind: str) -> list[int]:
    """What `cvt.rzi.s32` or `cvt.rzi.u32` and a store of the low bits leave."""
    signed = kind in ("signed char", "short")
    low, high = (-(2**31), 2**31 - 1) if signed else (0, 2**32 - 1)
    bits = 16 if "short" in kind else 8
    nan = 1 << 31 if values.dtype == np.float64 else 0
    found = []
    for value in values.tolist():
        whole = nan if math.isnan(value) else min(max(math.trunc(value), low), high)
        rest = whole % (1 << bits)
        found.append(rest - (1 << bits) if signed and rest >> bits - 1 else rest)
    return found


@pytest.mark.parametrize("kind", ["signed char", "unsigned char", "short", "unsigned short"])
@pytest.mark.parametrize("source", ["float", "double"])
def test_a_float_becomes_a_short_integer_through_32_bits(source, kind):
    """The PTX of nvcc 13.0 has `cvt.rzi.s32` or `cvt.rzi.u32` for each of these."""
    given = np.array(GIVEN, np.float32 if source == "float" else np.float64)
    cast = compute(f"({kind})a", "int", a=(source, given))
    assert cast.tolist() == through_32_bits(given, kind)


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("signed char", [127, -100, 127, -128]),
        ("unsigned char", [255, 0, 255, 0]),
        ("short", [320, -100, 32767, -32768]),
        ("unsigned short", [320, 0, 65535, 0]),
    ],
)
def test_a_half_saturates(kind, wanted):
    """`cuda_fp16.h` converts with `cvt.rzi.s8` and its like."""
    given = [320.7, -100.5, math.inf, -math.inf]
    assert compute(f"({kind})a", "int", a=("half", given)).tolist() == wanted
