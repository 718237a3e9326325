"""Which arrays of a C++ kernel are tracked: nothing races in those that it does not write to."""

from __future__ import annotations

import pytest

from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda


@pytest.mark.parametrize(
    ("body", "stored"),
    [
        ("out[i] = a[i];", {"out"}),
        ("float* p = out + 1; const float* q = a; p[i] = q[i]; atomicAdd(n, 1);", {"out", "n"}),
        ("out[i] += a[i]; out++;", {"out"}),
        ("put(out, a[i]);", {"out"}),
        ("__shared__ float s[32]; s[i] = a[i];", set()),
        ("((float*)a)[i] = 1;", {"a"}),
    ],
)
def test_arrays_that_may_be_written_are_tracked(body, stored):
    source = read_cuda(
        "__device__ void put(float* to, float value) { to[threadIdx.x] = value; }\n"
        "__global__ void f(const float* a, float* out, int* n) {\n"
        f"    int i = threadIdx.x;\n    {body}\n}}\n"
    )
    kernel, _ = lower_kernel(source, "f")
    assert kernel.compiled.stored == stored
