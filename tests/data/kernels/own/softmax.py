"""Softmax of each row: maximum, sum and quotient, a block to a row."""
import math

import numpy as np
from numba import cuda, float32

B = 64


@cuda.jit
def kernel(a, out):
    s = cuda.shared.array(B, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    n = a.shape[1]
    top = float32(-1e30)
    for k in range(t, n, B):  # @first
        top = max(top, a[row, k])  # @load
    s[t] = top  # @put
    cuda.syncthreads()  # @sync
    d = B // 2
    while d > 0:
        if t < d:
            s[t] = max(s[t], s[t + d])  # @max
        cuda.syncthreads()  # @step
        d //= 2
    top = s[0]  # @top
    cuda.syncthreads()  # @between
    total = float32(0)
    for k in range(t, n, B):
        total += math.exp(a[row, k] - top)  # @exp
    s[t] = total  # @again
    cuda.syncthreads()  # @sync2
    d = B // 2
    while d > 0:
        if t < d:  # @who
            s[t] += s[t + d]  # @add
        cuda.syncthreads()  # @step2
        d //= 2
    for k in range(t, n, B):  # @last
        out[row, k] = math.exp(a[row, k] - top) / s[0]  # @store


def case(random):
    a = random.standard_normal((7, 150)).astype(np.float32)
    e = np.exp(a - a.max(axis=1, keepdims=True))
    return {
        "grid": 7, "block": B,
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": e / e.sum(axis=1, keepdims=True)}, "tolerance": 1e-5,
    }


FAULTS = [
    (("drop", "sync"), "race", "put max"),
    (("drop", "step"), "race", "max top"),
    (("drop", "between"), "race", "top again"),
    (("drop", "sync2"), "race", "again add"),
    (("drop", "step2"), "race", "add store"),
    (("drop", "put"), "uninitialised-read", "max top put"),
    (("further", "first"), "out-of-bounds", "load first"),
    (("edit", "last", "t, n, B", "t, n - 1, B"), "never-written", "def"),
    (("edit", "last", "t, n, B", "t + 1, n, B"), "never-written", "def"),
    (("always", "who"), "race out-of-bounds", "add who"),
    (("drop", "again"), "wrong-result", ""),
    (("edit", "store", "out[row, k]", "out[row, t]"), "never-written", "def"),
]
