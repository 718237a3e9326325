"""A value that an assignment has stored is used from where it is: no compiler loads it again."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda

SOURCE = """
__device__ float twice(float &x) {{ return 2 * x; }}
__global__ void k(const float *a, float *o, unsigned char *c) {{
    __shared__ float s[32];
    __shared__ int n[32];
    int t = threadIdx.x;
    {}
}}
"""
USES = {
    "o[t] = s[t] = a[t];": (lambda a: a, 0),
    "o[t] = o[t + 32] = a[t];": (lambda a: a, 0),
    "s[t] = 1; o[t] = s[t] += a[t];": (lambda a: 1 + a, 1),
    "n[t] = 4; o[t] = ++n[t];": (lambda a: 0 * a + 5, 1),
    "n[t] = 4; o[t] = --n[t] + n[t];": (lambda a: 0 * a + 6, 2),
    "n[t] = 4; o[t] = n[t]++;": (lambda a: 0 * a + 4, 1),
    "if ((s[t] = a[t]) > 3) o[t] = 1;": (lambda a: np.where(a > 3, 1, 0), 0),
    "float x; o[t] = x = s[t] = a[t];": (lambda a: a, 0),
    "o[t] = c[t] = 255 + n[(n[t] = 1, t)];": (lambda a: 0 * a, 1),
    "int x = n[t] = 2.75f; o[t] = x;": (lambda a: 0 * a + 2, 0),
    "o[t] = (s[t] = a[t]) + (n[t] = 2);": (lambda a: a + 2, 0),
    "float &r = s[t] = a[t]; s[t] = 9; o[t] = r;": (lambda a: 0 * a + 9, 1),
    "(s[t] = a[t]) = 8; o[t] = s[t];": (lambda a: 0 * a + 8, 1),
    "(s[t] = a[t])++; o[t] = s[t];": (lambda a: a + 1, 2),
    "o[t] = twice(s[t] = a[t]);": (lambda a: 2 * a, 1),
    "*&(s[t] = a[t]) += 1; o[t] = s[t];": (lambda a: a + 1, 2),
    "float *p; *(p = o + t) = a[t];": (lambda a: a, 0),
}
"""What `o` holds in the end, of `a`, and the loads from shared memory."""


@pytest.mark.parametrize("use", USES)
def test_a_stored_value_is_used_without_a_load(use):
    value, loads = USES[use]
    a, o = np.arange(32, dtype=np.float32), np.zeros(64, np.float32)
    ready, _ = lower_kernel(read_cuda(SOURCE.format(use)), "k")
    done = launch(ready, 1, 32, [a, o, np.zeros(32, np.uint8)])
    assert done.faults == ()
    assert o[:32].tolist() == value(a).tolist()
    assert done.totals["shared_load_requests"] == loads
