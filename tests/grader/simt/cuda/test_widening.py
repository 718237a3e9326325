"""Constants that make float arithmetic double are warned of where nvcc computes in double.

`COMPUTED` is what PTX of NVRTC 13.0 for compute capability 9.0 has instructions on `.f64` for;
`NARROWED` is what it has none for.
"""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda

HEAD = "__global__ void k(float *a, int i, float x, float y, double d, long long n, short *s) {\n"
COMPUTED = {
    "a[0] = x * 0.1;": "*",
    "a[0] = x * 0.5 + y;": "*",
    "a[0] = (x + 1.0) * 0.5;": "+",
    "a[0] = x - 0.1;": "-",
    "if (x > 0.1) a[0] = 1;": ">",
    "if (x != 0.1) a[0] = 1;": "!=",
    "a[0] = max(x, 0.0);": "max",
    "a[0] = min(x, 1.0);": "min",
    "a[0] = 1.0 / (1.0 + exp(-x));": "+",
    "a[0] += 0.1;": "+",
    "a[0] = x * 2.0 * y;": "*",
    "a[0] = x * 3.14159265358979;": "*",
    "a[0] = x + 1e-6;": "+",
    "a[0] = x > 0 ? x : 0.01 * x;": "*",
    "const double c = 0.1; a[0] = x * c;": "*",
    "a[0] = tanh(x * 0.7978845608);": "*",
    "a[0] = rsqrt(x + 1e-5);": "+",
    "int j = x * 10.0; a[0] = j;": "*",
    "a[0] = x * 1.5f + 0.5 * y;": "*",
    "a[0] = x * -0.3;": "*",
    "double z = x * 0.5; a[0] = z;": "*",
}
NARROWED = (
    "a[0] = x * 0.5;",
    "a[0] = 1.0 / x;",
    "a[0] = x / 3.0;",
    "if (x > 0.5) a[0] = 1;",
    "if (x == 0.0) a[0] = 1;",
    "a[0] = pow(x, 2);",
    "a[0] = powf(x, 2.0);",
    "a[0] = sqrt(x) * 0.5;",
    "float z = 0.0; z += x; a[0] = z;",
    "a[0] += 1.0;",
    "a[0] *= 2.0;",
    "a[0] = x * (float)0.1;",
    "a[0] = 0.5 * (x + y);",
    "a[0] = x > 0 ? x : 0.0;",
    "float z = 0.1; a[0] = x * z;",
    "constexpr double c = 0.5; a[0] = x * c;",
    "a[0] = fabs(x) - 0.25;",
    "a[0] = sqrtf(x * x + 1.0);",
    "a[0] = -(x * 0.5);",
    "a[0] = (float)(x * 0.5) * y;",
    "float z = (x * 0.5); a[0] = z + y;",
    "a[0] = __expf(x * 0.5);",
)
MEANT = (
    "a[0] = x * d;",
    "double z = 0; z += x; z += y; a[0] = z;",
    "a[0] = d * 0.1;",
    "a[0] = i * 0.5;",
)
"""In double, too, but no constant makes it so, or nothing is a float."""


def findings(body, value=1.5, far=0):
    kernel, _ = lower_kernel(read_cuda(f"{HEAD}{body}\n}}"), "k")
    given = [np.full(4, 1.5, np.float32), np.int32(1), np.float32(value), np.float32(2),
             np.float64(3), np.int64(far), np.zeros(4, np.int16)]  # fmt: skip
    return launch(kernel, 1, 1, given).findings


@pytest.mark.parametrize("body", COMPUTED)
def test_what_is_computed_in_double_is_warned_of(body):
    [found] = findings(body)
    assert (found.kind, found.topic, found.line) == ("warning", "float64", 2)
    fields = found.what.fields
    assert fields.get("operator", fields.get("function")) == COMPUTED[body]


@pytest.mark.parametrize("body", [*NARROWED, *MEANT])
def test_what_is_computed_in_float_or_meant_is_not(body):
    assert findings(body) == ()


def test_two_constants_of_a_function_are_two_warnings():
    found = findings("a[0] = x * 0.1;\na[1] = y + 0.7;\na[2] = sizeof(x * 0.3);")
    assert [each.line for each in found] == [2, 3]


NARROWING = {
    "int j = n; a[0] = j;": 1,
    "s[0] = i + 40000;": 1,
    "s[0] = i; s[0] += 32767;": 1,
    "signed char c = i + 200; a[0] = c;": 1,
    "signed char c = x * 100; a[0] = c;": 1,
    "short c = d * 100000; a[0] = c;": 1,
    # what fits, is cast, wraps by the rules, or holds bytes
    "int j = n - 3000000000ll; a[0] = j;": 0,
    "int j = (int)n; a[0] = j;": 0,
    "unsigned j = n; a[0] = j;": 0,
    "unsigned short j = i + 70000; a[0] = j;": 0,
    "char c = i + 200; a[0] = c;": 0,
    "constexpr short c = 7 * 100; s[0] = c;": 0,
}


@pytest.mark.parametrize("body", NARROWING)
def test_an_integer_that_does_not_fit_a_narrower_type_is_warned_of(body):
    found = findings(body, far=3_000_000_001)
    assert [(each.kind, each.topic) for each in found] == [("warning", "overflow")] * NARROWING[
        body
    ]
