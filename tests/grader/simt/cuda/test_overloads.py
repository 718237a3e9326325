"""Which of several functions a call means, by C++'s ranks of conversions."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda

F = "__device__ int f({}) {{ return {}; }}\n"


@pytest.mark.parametrize(
    ("first", "second", "argument", "wanted"),
    [
        ("long x", "double x", "1.0f", 2),  # float is promoted to double
        ("unsigned x", "int x", "(short)1", 2),  # short is promoted to int
        ("long x", "int x", "'a'", 2),
        ("float x", "double x", "1.0", 2),
        ("int x, float y", "int x, double y", "1, 2.0f", 1),
        ("const int *x", "int *x", "a", 2),
    ],
)
def test_the_function_with_the_least_conversions_is_called(first, second, argument, wanted):
    source = F.format(first, 1) + F.format(second, 2)
    source += f"__global__ void k(int *a) {{ a[0] = f({argument}); }}"
    kernel, _ = lower_kernel(read_cuda(source), "k")
    out = np.zeros(1, np.int32)
    launch(kernel, (1,), (1,), [out])
    assert out[0] == wanted
