"""Sum of a block by a device function that has the barriers; used twice on one buffer."""
import numpy as np
from numba import cuda, float32

B = 64


@cuda.jit(device=True)
def block_sum(s, t, v):
    s[t] = v  # @fill
    cuda.syncthreads()  # @sync
    d = B // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]  # @add
        cuda.syncthreads()  # @step
        d //= 2
    total = s[0]  # @total
    cuda.syncthreads()  # @end
    return total


@cuda.jit
def kernel(a, mean, variance):
    s = cuda.shared.array(B, float32)
    t, b = cuda.threadIdx.x, cuda.blockIdx.x
    v = a[b, t]  # @load
    centre = block_sum(s, t, v) / float32(B)  # @one
    spread = block_sum(s, t, (v - centre) * (v - centre)) / float32(B)  # @two
    if t == 0:
        mean[b] = centre  # @store
        variance[b] = spread  # @other


def case(random):
    a = random.random((6, B), dtype=np.float32)
    return {
        "grid": 6, "block": B,
        "arguments": {"a": a, "mean": np.zeros(6, np.float32), "variance": np.zeros(6, np.float32)},
        "right": {"mean": a.mean(axis=1), "variance": a.var(axis=1)}, "tolerance": 1e-4,
    }


FAULTS = [
    (("drop", "sync"), "race", "fill add"),
    (("drop", "step"), "race", "add total"),
    (("drop", "end"), "race", "total fill"),
    (("drop", "fill"), "uninitialised-read", "add total fill"),
    (("edit", "two", "block_sum(s, t, (v - centre) * (v - centre))", "(block_sum(s, t, (v - centre) * (v - centre)) if t < 32 else float32(0))"), "barrier-divergence", "two sync step end"),
    (("drop", "other"), "never-written", "def"),
    (("edit", "load", "a[b, t]", "a[t, b]"), "out-of-bounds", "load"),
]
