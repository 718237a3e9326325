"""Pointers to shared memory that leave their block, and indices beyond axis and array."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda

ESCAPE = """
__device__ int *where;
__device__ int **slot;
__global__ void put(int *o) { __shared__ int s[32]; s[threadIdx.x] = 1; where = s; }
__global__ void get(int *o) {
    __shared__ int s[32];
    s[threadIdx.x] = 2;
    __syncthreads();
    o[threadIdx.x] = where[threadIdx.x];
}
__global__ void own(int *o) {
    __shared__ int s[32];
    __shared__ int *there;
    s[threadIdx.x] = 7;
    if (threadIdx.x == 0) there = s;
    __syncthreads();
    o[threadIdx.x] = there[31 - threadIdx.x];
}
"""
AXIS = """
__global__ void k(float *o, int t0) {{
    __shared__ float tile[32][33];
    int t = threadIdx.x + t0;
    for (int i = 0; i < 32; i++) tile[i][t] = i;
    __syncthreads();
    {}
}}
"""


def test_a_pointer_to_shared_memory_is_of_no_use_to_a_later_launch():
    source, out = read_cuda(ESCAPE), np.zeros(32, np.int32)
    kernels = {name: lower_kernel(source, name)[0] for name in source.kernels}
    assert launch(kernels["put"], 1, 32, [out]).findings == ()
    (fault,) = launch(kernels["get"], 1, 32, [out]).findings
    assert (fault.kind, fault.line, fault.count) == ("out-of-bounds", 9, 32)
    assert fault.what.code == "finding.foreign-shared"
    for _ in range(2):
        assert launch(kernels["own"], 2, 32, [out]).faults == ()
    assert out.tolist() == [7] * 32


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("tile[3][t + 9] = 1;", ["beyond-axis"]),
        ("tile[31][t + 9] = 1;", ["beyond-axis"]),
        ("tile[40][t] = 1;", ["out-of-bounds"]),
        ("tile[t][40] = 1;\n tile[40][t] = 1;", ["beyond-axis", "out-of-bounds"]),
    ],
)
def test_an_index_is_blamed_once(body, codes):
    kernel, _ = lower_kernel(read_cuda(AXIS.format(body)), "k")
    done = launch(kernel, 1, 32, [np.zeros(32, np.float32), np.int32(0)])
    assert [each.what.code for each in done.faults] == [f"finding.{code}" for code in codes]
