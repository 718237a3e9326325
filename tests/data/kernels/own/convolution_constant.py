"""A row of weights in constant memory over a signal."""
import numpy as np
from numba import cuda, float32

W = np.array([0.25, 0.5, -1.0, 0.5, 0.25], np.float32)


@cuda.jit
def kernel(a, out):
    weights = cuda.const.array_like(W)
    i = cuda.grid(1)
    if i < out.size:  # @guard
        total = float32(0)
        for k in range(weights.size):  # @loop
            total += weights[k] * a[i + k]  # @read
        out[i] = total  # @store


def case(random):
    a = random.random(504, dtype=np.float32)
    return {
        "grid": 4, "block": 128,
        "arguments": {"a": a, "out": np.zeros(500, np.float32)},
        "right": {"out": np.convolve(a, W, "valid")}, "tolerance": 1e-5,
    }


FAULTS = [
    (("always", "guard"), "out-of-bounds", "read store guard"),
    (("further", "loop"), "out-of-bounds", "read loop"),
    (("edit", "guard", "i < out.size", "i < a.size"), "out-of-bounds", "store guard"),
    (("edit", "read", "a[i + k]", "a[i + k + 1]"), "out-of-bounds", "read"),
    (("edit", "store", "out[i]", "out[i // 2]"), "global-race never-written", "store def"),
    (("edit", "read", "weights[k]", "weights[4 - k]"), "equivalent", "the weights are symmetric"),
]
