"""Layer normalisation of rows: mean and variance from one pass, by warp shuffles."""
import math

import numpy as np
from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit(device=True)
def warp_sum(v):
    for k in range(5):
        v += cuda.shfl_xor_sync(FULL, v, 16 >> k)
    return v


@cuda.jit
def kernel(a, gain, shift, out):
    row = cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y
    if row < a.shape[0]:  # @guard
        n = a.shape[1]
        total, square = float32(0), float32(0)
        for k in range(cuda.threadIdx.x, n, 32):  # @loop
            v = a[row, k]  # @load
            total += v
            square += v * v
        mean = warp_sum(total) / float32(n)
        variance = warp_sum(square) / float32(n) - mean * mean
        scale = float32(1) / math.sqrt(variance + float32(1e-5))
        for k in range(cuda.threadIdx.x, n, 32):  # @last
            out[row, k] = (a[row, k] - mean) * scale * gain[k] + shift[k]  # @store


def case(random):
    a = random.standard_normal((11, 100)).astype(np.float32)
    gain, shift = random.random((2, 100), dtype=np.float32)
    normal = (a - a.mean(axis=1, keepdims=True)) / np.sqrt(a.var(axis=1, keepdims=True) + 1e-5)
    return {
        "grid": 3, "block": (32, 4),
        "arguments": {"a": a, "gain": gain, "shift": shift, "out": np.zeros_like(a)},
        "right": {"out": normal * gain + shift}, "tolerance": 1e-4,
    }


FAULTS = [
    (("always", "guard"), "out-of-bounds", "load store guard"),
    (("further", "loop"), "out-of-bounds", "load loop"),
    (("further", "last"), "out-of-bounds", "store last"),
    (("edit", "last", "n, 32", "n, 64"), "never-written", "def"),
    (("edit", "store", "gain[k]", "gain[k + 1]"), "out-of-bounds", "store"),
    (("edit", "store", "out[row, k]", "out[cuda.blockIdx.x, k]"), "global-race never-written", "store def"),
]
