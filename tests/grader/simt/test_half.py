"""`cuda.fp16`: each function rounded once, against NumPy in higher precision."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import read
from grader.simt.errors import Refused
from tests.grader.simt.tools import kernel, run
from tests.grader.simt.tools import module as find_module

VALUES = np.linspace(0.1, 9, 32).astype(np.float16)
OTHERS = np.linspace(7, 0.3, 32).astype(np.float16)
ONE = {
    "hsin": np.sin,
    "hcos": np.cos,
    "hlog": np.log,
    "hlog2": np.log2,
    "hlog10": np.log10,
    "hexp": np.exp,
    "hexp2": np.exp2,
    "hsqrt": np.sqrt,
    "hceil": np.ceil,
    "hfloor": np.floor,
    "htrunc": np.trunc,
    "hrint": np.rint,
    "hneg": np.negative,
    "habs": np.abs,
    "hrcp": np.reciprocal,
    "hrsqrt": lambda value: value**-0.5,
    "hexp10": lambda value: 10**value,
}
TWO = {
    "hadd": np.add,
    "hsub": np.subtract,
    "hmul": np.multiply,
    "hdiv": np.divide,
    "hmax": np.maximum,
    "hmin": np.minimum,
    "heq": np.equal,
    "hne": np.not_equal,
    "hge": np.greater_equal,
    "hgt": np.greater,
    "hle": np.less_equal,
    "hlt": np.less,
}


def of(call: str, dtype=np.float16) -> np.ndarray:
    out = np.zeros(32, dtype)
    lines = ("t = cuda.threadIdx.x", f"out[t] = cuda.fp16.{call}")
    done = run(kernel(*lines, takes="a, b, out"), [VALUES, OTHERS, out])
    assert done.findings == ()
    return out


@pytest.mark.parametrize("name", ONE)
def test_of_one(name):
    with np.errstate(over="ignore"):
        expected = ONE[name](VALUES.astype(np.float64)).astype(np.float16)
    np.testing.assert_array_max_ulp(of(f"{name}(a[t])"), expected)


@pytest.mark.parametrize("name", TWO)
def test_of_two(name):
    expected = TWO[name](VALUES.astype(np.float64), OTHERS.astype(np.float64))
    dtype = np.bool_ if expected.dtype == np.bool_ else np.float16
    np.testing.assert_array_equal(of(f"{name}(a[t], b[t])", dtype), expected.astype(dtype))


def test_a_product_and_a_sum_are_rounded_once():
    exact = VALUES.astype(np.float64) * OTHERS + VALUES
    np.testing.assert_array_equal(of("hfma(a[t], b[t], a[t])"), exact.astype(np.float16))


def test_other_numbers_are_converted():
    np.testing.assert_array_equal(of("hadd(a[t], 1)"), VALUES + np.float16(1))


def test_numba_has_no_float16_of_its_own():
    """`from numba import float16` fails on a device; NumPy and `numba.types` have the name."""
    for module in ("np", "numba.types"):
        run(kernel(f"s = cuda.shared.array(32, {module}.float16)", "s[0] = a[0]"), [VALUES])
    with pytest.raises(Refused):
        run(kernel("s = cuda.shared.array(32, numba.float16)", "s[0] = a[0]"), [VALUES])


def test_float16_is_a_name_of_numba_s_types():
    types = find_module("numba").types
    text = kernel("s = cuda.shared.array(2, types.float16)", "s[0] = 1.0001", "a[0] = s[0]")
    out = np.zeros(1, np.float32)
    run(read(text, names={"types": types}), [out], block=1)
    assert out.tolist() == [1]
