"""Complex numbers: values and types against Numba on the CPU."""

from __future__ import annotations

import cmath
import itertools

import numpy as np
import pytest

from grader.simt import NotTyped, launch, read
from grader.simt.program.types import Array
from tests.grader.simt.tools import kernel, module, python_function, run, types_here

PARTS = (-3.5, -0.0, 0.0, 1.0, 2.25, np.inf, np.nan)
GIVEN = np.array([complex(*one) for one in itertools.product(PARTS, repeat=2)])
FINITE = GIVEN[np.isfinite(GIVEN)]
FUNCTIONS = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "log", "log10"),
    *("sin", "sinh", "sqrt", "tan", "tanh", "phase"),
)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize(
    "expression",
    [
        *("x + 1", "x - x * x", "x / (2 - 1j)", "-x", "x.conjugate()", "x ** 2", "abs(x)"),
        *(
            "complex(x.real, 2)",
            "complex(x)",
            "complex(x.real)",
            "complex(x.imag, x.real)",
            "np.complex64(x)",
            "x * np.float32(2)",
        ),
        *("x.real", "x.imag", "x == 1", "x != 1j", "bool(x)"),
    ],
)
def test_arithmetic(expression, dtype):
    given = FINITE.astype(dtype)
    compiled = module("numba").njit(python_function(f"def function(x):\n    return {expression}\n"))
    expected = [compiled(one) for one in given]
    result = str(compiled.nopython_signatures[0].return_type)
    text = kernel(
        "t = cuda.grid(1)", "x = xs[t]", f"y = {expression}", "out[t] = y", takes="xs, out"
    )
    arrays = {"xs": Array(given.dtype, 1, "global"), "out": Array(np.dtype(result), 1, "global")}
    assert types_here(text, arrays)["y"] == result
    out = np.zeros(given.size, result)
    assert launch(text, 1, given.size, [given, out]).faults == ()
    np.testing.assert_allclose(out, expected, rtol=1e-6 if dtype == np.complex64 else 1e-14)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    given = FINITE[abs(FINITE) > 0]
    out = np.zeros(given.size, np.complex128)
    text = kernel("t = cuda.grid(1)", f"out[t] = cmath.{name}(xs[t])", takes="xs, out")
    launch(read(text, names={"cmath": cmath}), 1, given.size, [given, out])
    expected = []
    for one in given:
        try:
            expected.append(getattr(cmath, name)(one))
        except ValueError:  # a pole
            expected.append(cmath.nan)
    np.testing.assert_array_equal(out, expected)


def test_tests_and_pairs():
    text = kernel(
        "t = cuda.grid(1)",
        "a[t] = cmath.isnan(xs[t]) + 2 * cmath.isinf(xs[t]) + 4 * cmath.isfinite(xs[t])",
        "r, phi = cmath.polar(xs[t])",
        "b[t] = cmath.rect(r, phi) - cmath.log(xs[t], 2 + 0j) * 0",
        takes="xs, a, b",
    )
    given = FINITE[abs(FINITE) > 0]
    a, b = np.zeros(given.size), np.zeros(given.size, np.complex128)
    launch(read(text, names={"cmath": cmath}), 1, given.size, [given, a, b])
    assert set(a) == {4}
    np.testing.assert_allclose(b, given)


def test_in_shared_memory_a_number_is_sixteen_bytes():
    lines = (
        "s = cuda.shared.array(32, numba.complex128)",
        "t = cuda.threadIdx.x",
        "s[t] = t + 1j",
        "cuda.syncthreads()",
        "a[t] = s[31 - t] + n",
    )
    out = np.zeros(32, np.complex64)
    done = run(kernel(*lines, takes="a, n"), [out, 2j])
    np.testing.assert_array_equal(out, 31 - np.arange(32) + 3j)
    assert done.totals["shared_store_wavefronts"] == 4
    assert done.totals["global_store_sectors"] == 8


@pytest.mark.parametrize(
    "line",
    [
        *("a[0] = 1j", "a[0] = float(1j)", "a[0] = int(1j)", "a[0] = 1j < 2", "a[0] = 1j // 2"),
        *("a[0] = min(1j, 2j)", "a[0] = math.sin(1j)", "a[0] = complex(1j, 2).real"),
        *("cuda.atomic.add(a, 0, 1j)", "a[1j] = 0", "x = numba.float32(1j)"),
    ],
)
def test_what_they_are_not_for(line):
    with pytest.raises(NotTyped):
        run(kernel(line), [np.zeros(1)])
