"""Counts elements below a bound in the block with syncthreads_count."""
import numpy as np
from numba import cuda


@cuda.jit
def kernel(a, bound, out):
    i = cuda.grid(1)
    below = 1 if i < a.size and a[i] < bound else 0  # @test
    count = cuda.syncthreads_count(below)  # @sync
    if cuda.threadIdx.x == 0:  # @lead
        out[cuda.blockIdx.x] = count  # @store


def case(random):
    a = random.random(500, dtype=np.float32)
    right = np.array([(a[k : k + 128] < 0.3).sum() for k in range(0, 500, 128)], np.int32)
    return {
        "grid": 4, "block": 128,
        "arguments": {"a": a, "bound": np.float32(0.3), "out": np.zeros(4, np.int32)},
        "right": {"out": right},
    }


FAULTS = [
    (("edit", "test", "i < a.size and ", ""), "out-of-bounds", "test"),
    (("edit", "sync", "cuda.syncthreads_count(below)", "0; count += cuda.syncthreads_count(1) if below else 0"), "barrier-divergence", "sync"),
    (("edit", "lead", "cuda.threadIdx.x == 0", "cuda.threadIdx.x == 128"), "never-written", "def"),
    (("edit", "store", "out[cuda.blockIdx.x]", "out[0]"), "global-race never-written", "store def"),
    (("edit", "store", "out[cuda.blockIdx.x]", "out[i]"), "out-of-bounds never-written", "store def"),
]
