"""Tree sum of a block, strides halving."""
import numpy as np
from numba import cuda, float32

B = 256


@cuda.jit
def kernel(a, out):
    s = cuda.shared.array(B, float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * (2 * B) + t
    total = float32(0)
    if i < a.size:  # @first
        total += a[i]  # @one
    if i + B < a.size:  # @second
        total += a[i + B]  # @two
    s[t] = total  # @fill
    cuda.syncthreads()  # @sync
    d = B // 2
    while d > 0:  # @loop
        if t < d:  # @who
            s[t] += s[t + d]  # @add
        cuda.syncthreads()  # @step
        d //= 2  # @halve
    if t == 0:  # @zero
        out[cuda.blockIdx.x] = s[0]  # @store


def case(random):
    a = random.random(1900, dtype=np.float32)
    sums = np.array([a[k : k + 2 * B].sum() for k in range(0, 1900, 2 * B)], np.float32)
    return {
        "grid": 4, "block": B,
        "arguments": {"a": a, "out": np.zeros(4, np.float32)},
        "right": {"out": sums}, "tolerance": 1e-5,
    }


FAULTS = [
    (("drop", "sync"), "race", "fill add"),
    (("drop", "step"), "race", "add store"),
    (("always", "second"), "out-of-bounds", "two second"),
    (("edit", "second", "i + B < a.size", "i < a.size"), "out-of-bounds", "two second"),
    (("edit", "who", "t < d", "t <= d"), "race", "add who"),
    (("always", "who"), "race out-of-bounds", "add who"),
    (("within", "step", "t < d"), "barrier-divergence", "step"),
    (("drop", "halve"), "budget", "loop add who step"),
    (("always", "zero"), "equivalent", "all threads store the same sum, which is the only one: wasteful, not wrong"),
    (("edit", "zero", "t == 0", "t < 2"), "equivalent", "two threads store the same value"),
    (("edit", "store", "s[0]", "s[t]"), "equivalent", "only thread 0 comes here"),
]
