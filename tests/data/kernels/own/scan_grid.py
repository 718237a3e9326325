"""Inclusive sums over all blocks: each block its own, a meeting of the grid, then the offsets."""
import numpy as np
from numba import cuda, int64

B = 64


@cuda.jit
def kernel(a, out, totals):
    s = cuda.shared.array(B, int64)
    i, t, b = cuda.grid(1), cuda.threadIdx.x, cuda.blockIdx.x
    s[t] = a[i] if i < a.size else 0  # @fill
    cuda.syncthreads()  # @sync
    d = 1
    while d < B:
        v = s[t - d] if t >= d else 0  # @get
        cuda.syncthreads()  # @read
        s[t] += v  # @add
        cuda.syncthreads()  # @wrote
        d *= 2
    if t == B - 1:  # @last
        totals[b] = s[t]  # @total
    cuda.cg.this_grid().sync()  # @grid
    before = 0
    for k in range(b):  # @loop
        before += totals[k]  # @sum
    if i < a.size:
        out[i] = s[t] + before  # @store


def case(random):
    a = random.integers(0, 1000, 450)
    return {
        "grid": 8, "block": B,
        "arguments": {"a": a, "out": np.zeros_like(a), "totals": np.zeros(8, np.int64)},
        "right": {"out": np.cumsum(a)},
    }


FAULTS = [
    (("drop", "sync"), "race", "fill get"),
    (("drop", "read"), "race", "get add"),
    (("drop", "wrote"), "race", "add get"),
    (("drop", "grid"), "global-race", "total sum"),
    (("edit", "grid", "cuda.cg.this_grid().sync()", "cuda.syncthreads()"), "global-race", "total sum"),
    (("edit", "grid", "cuda.cg.this_grid().sync()", "cuda.threadfence()"), "global-race", "total sum"),
    (("always", "last"), "global-race", "total last"),
    (("edit", "get", "s[t - d] if t >= d else 0", "s[t + d]"), "out-of-bounds", "get"),
    (("edit", "fill", "a[i] if i < a.size else 0", "a[i]"), "out-of-bounds", "fill"),
]
