"""Transpose through global memory alone."""
import numpy as np
from numba import cuda


@cuda.jit
def kernel(a, out):
    x, y = cuda.grid(2)
    if x < a.shape[1] and y < a.shape[0]:  # @guard
        out[x, y] = a[y, x]  # @move


def case(random):
    a = random.random((45, 70), dtype=np.float32)
    return {
        "grid": (3, 2), "block": (32, 32),
        "arguments": {"a": a, "out": np.zeros((70, 45), np.float32)},
        "right": {"out": a.T},
    }


FAULTS = [
    (("edit", "move", "a[y, x]", "a[x, y]"), "out-of-bounds", "move"),
    (("edit", "move", "out[x, y]", "out[y, x]"), "out-of-bounds", "move"),
    (("edit", "guard", "x < a.shape[1] and y < a.shape[0]", "x < a.shape[0] and y < a.shape[1]"), "out-of-bounds never-written", "move guard def"),
    (("always", "guard"), "out-of-bounds", "move guard"),
]
