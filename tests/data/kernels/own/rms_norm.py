"""Rows divided by their root mean square, in place; a block to a row."""
import math

import numpy as np
from numba import cuda, float32

B = 64


@cuda.jit
def kernel(a):
    part = cuda.shared.array(2, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    square = float32(0)
    for k in range(t, a.shape[1], B):
        square += a[row, k] * a[row, k]  # @load
    for k in range(5):
        square += cuda.shfl_down_sync(0xFFFFFFFF, square, 16 >> k)
    if t % 32 == 0:  # @lead
        part[t // 32] = square  # @put
    cuda.syncthreads()  # @sync
    mean = (part[0] + part[1]) / float32(a.shape[1])  # @get
    scale = float32(1) / math.sqrt(mean + float32(1e-6))
    for k in range(t, a.shape[1], B):  # @last
        a[row, k] *= scale  # @store


def case(random):
    a = random.standard_normal((5, 130)).astype(np.float32)
    right = a / np.sqrt((a * a).mean(axis=1, keepdims=True) + 1e-6)
    return {
        "grid": 5, "block": B,
        "arguments": {"a": a.copy()},
        "right": {"a": right}, "tolerance": 1e-5,
    }


FAULTS = [
    (("drop", "sync"), "race", "put get"),
    (("drop", "put"), "uninitialised-read", "get put"),
    (("edit", "lead", "t % 32 == 0", "t == 0"), "uninitialised-read", "get lead"),
    (("further", "last"), "out-of-bounds", "store last"),
    (("edit", "last", "t, a.shape[1], B", "0, a.shape[1], 1"), "global-race", "store"),
    (("edit", "store", "a[row, k] *=", "a[0, k] *="), "global-race", "store load"),
    (("edit", "get", "part[1]", "part[2]"), "out-of-bounds", "get"),
]
