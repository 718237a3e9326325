"""A summed-area table by one block: rows first, then columns, in global memory."""
import numpy as np
from numba import cuda

N = 40


@cuda.jit
def kernel(a, out):
    t = cuda.threadIdx.x
    if t < N:  # @rows
        total = 0
        for k in range(N):
            total += a[t, k]  # @load
            out[t, k] = total  # @row
    cuda.syncthreads()  # @sync
    if t < N:  # @columns
        for k in range(1, N):  # @loop
            out[k, t] += out[k - 1, t]  # @column


def case(random):
    a = random.integers(0, 9, (N, N))
    return {
        "grid": 1, "block": 64,
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": a.cumsum(axis=0).cumsum(axis=1)},
    }


FAULTS = [
    (("drop", "sync"), "global-race", "row column"),
    (("edit", "sync", "cuda.syncthreads()", "cuda.threadfence()"), "global-race", "row column"),
    (("edit", "sync", "cuda.syncthreads()", "cuda.syncwarp()"), "global-race", "row column"),
    (("always", "rows"), "out-of-bounds", "load row rows"),
    (("always", "columns"), "out-of-bounds", "column columns"),
    (("further", "loop"), "out-of-bounds", "column loop"),
    (("within", "sync", "t < N"), "barrier-divergence", "sync"),
    (("edit", "column", "out[k, t] +=", "out[t, k] +="), "global-race", "column"),
]
