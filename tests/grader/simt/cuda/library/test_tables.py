"""Every function in the tables runs on typical values and on edges, with each of its types."""

from __future__ import annotations

import math

import numpy as np
import pytest

from grader.simt.cuda.lowering.library import maths
from grader.simt.intrinsics.libdevice import ENTRIES
from tests.grader.simt.cuda.library.kernels import compute

REALS = [0.5, -2.5, 0.0, -0.0, 1.0, 3.7e3, math.inf, -math.inf, math.nan, 1e-40]
BITS = [0, 1, 0x80000000, 0xFFFFFFFF, 0x12345678, 31, 32, 33]
NAMES = {"uint": "unsigned", "ull": "unsigned long long", "ll": "long long"}
UNARY = sorted(maths._UNARY)


@pytest.mark.parametrize("name", UNARY)
def test_a_function_is_of_float_or_double_as_its_argument_is(name):
    for kind, dtype, entry in (("float", np.float32, f"{name}f"), ("double", np.float64, name)):
        given = np.array(REALS, dtype)
        with np.errstate(all="ignore"):
            right = ENTRIES[entry].apply(given).astype(dtype)
        found = compute(f"{name}(a)", kind, a=(kind, REALS))
        assert compute(f"sizeof({name}(a))", "int", a=(kind, [1]))[0] == dtype().itemsize
        assert np.allclose(found, right, rtol=4e-7, equal_nan=True)
    single = compute(f"{name}f(a)", "float", a=("float", REALS))
    assert np.array_equal(
        single, compute(f"{name}(a)", "float", a=("float", REALS)), equal_nan=True
    )
    assert compute(f"sizeof({name}(a))", "int", a=("int", [1]))[0] == 8
