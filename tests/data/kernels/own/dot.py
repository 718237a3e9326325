"""Dot product: a strided sum, a tree in the block, one atomic a block."""
import numpy as np
from numba import cuda, float64

B = 64


@cuda.jit
def kernel(a, b, out):
    s = cuda.shared.array(B, float64)
    t = cuda.threadIdx.x
    total = 0.0
    i = cuda.grid(1)
    while i < a.size:  # @loop
        total += a[i] * b[i]  # @mul
        i += cuda.gridsize(1)  # @stride
    s[t] = total  # @put
    cuda.syncthreads()  # @sync
    d = B // 2
    while d > 0:  # @tree
        if t < d:
            s[t] += s[t + d]  # @add
        cuda.syncthreads()  # @step
        d >>= 1  # @halve
    if t == 0:  # @lead
        cuda.atomic.add(out, 0, s[0])  # @sum


def case(random):
    a, b = random.random((2, 1111))
    return {
        "grid": 3, "block": B,
        "arguments": {"a": a, "b": b, "out": np.zeros(1)},
        "right": {"out": np.array([a @ b])}, "tolerance": 1e-12,
    }


FAULTS = [
    (("plain", "sum"), "global-race", "sum"),
    (("drop", "sync"), "race", "put add"),
    (("drop", "step"), "race", "add sum"),
    (("edit", "loop", "i < a.size", "i <= a.size"), "out-of-bounds", "mul loop"),
    (("drop", "stride"), "budget", "loop mul stride"),
    (("edit", "halve", "d >>= 1", "d <<= 1"), "budget race out-of-bounds", "add halve tree"),
    (("edit", "sum", "out, 0, s[0]", "out, 0, s[t + B]"), "out-of-bounds", "sum"),
    (("always", "lead"), "wrong-result", ""),
    (("within", "step", "t < d"), "barrier-divergence", "step"),
]
