"""An index beyond an inner axis of a declared array: in bounds of the array, and still a fault."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda

TEXT = """
__global__ void k(float* out, int more) {
    __shared__ float tile[4][8];
    tile[threadIdx.x / 8][threadIdx.x % 8] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[1][threadIdx.x % 8 + more];
}
"""
FOUND = [("out-of-bounds", 6, "tile")]


@pytest.mark.parametrize(("more", "found"), [(0, []), (1, FOUND)])
def test_the_row_that_is_left_is_named(more, found):
    kernel, _ = lower_kernel(read_cuda(TEXT), "k")
    out = np.zeros(32, np.float32)
    done = launch(kernel, 1, 32, [out, np.int32(more)])
    assert [(each.kind, each.line, each.array) for each in done.faults] == found
    assert out.tolist() == [8 + t % 8 + more for t in range(32)]


@pytest.mark.parametrize(("at", "found"), [(7, []), (8, FOUND)])
def test_also_by_an_index_that_all_threads_have(at, found):
    kernel, _ = lower_kernel(read_cuda(TEXT.replace("threadIdx.x % 8 + more]", "more]")), "k")
    done = launch(kernel, 1, 32, [np.zeros(32, np.float32), np.int32(at)])
    assert [(each.kind, each.line, each.array) for each in done.faults] == found
