"""A product of matrices, one element a thread."""
import numpy as np
from numba import cuda, float32


@cuda.jit
def kernel(a, b, c):
    x, y = cuda.grid(2)
    if y < c.shape[0] and x < c.shape[1]:  # @guard
        total = float32(0)
        for k in range(a.shape[1]):  # @loop
            total += a[y, k] * b[k, x]  # @mul
        c[y, x] = total  # @store


def case(random):
    a, b = random.random((20, 33), dtype=np.float32), random.random((33, 27), dtype=np.float32)
    return {
        "grid": (4, 3), "block": (8, 8),
        "arguments": {"a": a, "b": b, "c": np.zeros((20, 27), np.float32)},
        "right": {"c": a @ b}, "tolerance": 1e-5,
    }


FAULTS = [
    (("further", "loop"), "out-of-bounds", "mul loop"),
    (("always", "guard"), "out-of-bounds", "mul store guard"),
    (("edit", "mul", "b[k, x]", "b[x, k]"), "out-of-bounds", "mul"),
    (("edit", "loop", "a.shape[1]", "b.shape[1]"), "wrong-result", ""),
    (("edit", "store", "c[y, x] =", "c[x, y] ="), "out-of-bounds never-written", "store def"),
    (("edit", "store", "c[y, x] =", "c[y, 0] ="), "global-race", "store"),
]
