"""Ufuncs over arrays in a kernel, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import Refused
from grader.simt.numba.library.ufuncs import _NAMES
from tests.grader.simt.tools import kernel, run
from tests.tables import each

REAL = np.linspace(0.05, 0.95, 12).reshape(3, 4)
INPUTS = {
    "float64": REAL,
    "float32": REAL.astype(np.float32),
    "columns": np.asfortranarray(REAL),
    "complex": REAL - 0.5j,
    "int64": np.arange(12).reshape(3, 4),
    "int8": np.arange(12, dtype=np.int8).reshape(3, 4),
    "bool": REAL > 0.5,
}


@each("given", INPUTS)
@each("name", _NAMES)
def test_elementwise(name, given):
    values, ufunc = INPUTS[given], getattr(np, name)
    operands = [values, values[::-1].copy()][: ufunc.nin]
    try:
        with np.errstate(all="ignore"):
            expected = ufunc(*operands)
    except TypeError:
        expected = np.zeros(1)
        with pytest.raises(Refused, match=rf"simt\.no-overload \(name=np\.{name},"):
            run(kernel(f"np.{name}(x, x{', x' if ufunc.nin > 1 else ''})", takes="x"), [values])
        return
    out = np.zeros_like(expected)
    call = f"np.{name}({', '.join('xy'[: ufunc.nin])}, out)"
    done = run(kernel(call, takes="x, y, out"), [operands[0], operands[-1], out], block=1)
    assert done.faults == ()
    np.testing.assert_allclose(out, expected, rtol=1e-3 if given in ("int8", "bool") else 1e-12)


def test_a_part_a_number_and_a_row_are_spread():
    out, x, row = np.zeros((2, 3, 4)), REAL, np.arange(4.0)
    lines = ("b = cuda.blockIdx.x", "np.maximum(x[b], row, out[b, b])", "np.hypot(x, 2, out[1])")
    run(kernel(*lines, takes="x, row, out"), [x, row, out], block=1, grid=1)
    expected = np.hypot(x, 2)
    np.testing.assert_array_equal(out[0, 0], np.maximum(x[0], row))
    np.testing.assert_array_equal(out[1], expected)


def test_numbers_alone():
    out = np.zeros(3)
    lines = ("a[0] = np.logical_xor(2, 0)", "a[1] = np.left_shift(3, 2)", "a[2] = np.deg2rad(180)")
    run(kernel(*lines), [out], block=1)
    np.testing.assert_allclose(out, [1, 12, np.pi])


@pytest.mark.parametrize(
    ("call", "what"),
    [
        ("np.sin(a)", r"simt\.makes-array"),
        ("np.sin(a, 3)", r"simt\.not-writable"),
        ("np.sin(1j, a)", r"simt\.no-conversion \(dtype=complex128, wanted=float64\)"),
        ("np.sin(a, a, a)", r"simt\.argument-range \(name=np\.sin, least=1, most=2\)"),
    ],
)
def test_what_is_refused(call, what):
    with pytest.raises(Refused, match=what):
        run(kernel(call), [np.zeros(2)])
