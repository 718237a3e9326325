"""Adds a row to each row of a matrix, in a two-dimensional grid."""
import numpy as np
from numba import cuda


@cuda.jit
def kernel(a, row, out):
    y, x = cuda.grid(2)[1], cuda.grid(2)[0]
    if y < out.shape[0] and x < out.shape[1]:  # @guard
        out[y, x] = a[y, x] + row[x]  # @add


def case(random):
    a, row = random.random((37, 50), dtype=np.float32), random.random(50, dtype=np.float32)
    return {
        "grid": (4, 5), "block": (16, 8),
        "arguments": {"a": a, "row": row, "out": np.zeros_like(a)},
        "right": {"out": a + row},
    }


FAULTS = [
    (("edit", "guard", "y < out.shape[0] and ", ""), "out-of-bounds", "add guard"),
    (("edit", "guard", " and x < out.shape[1]", ""), "out-of-bounds", "add guard"),
    (("edit", "guard", "and", "or"), "out-of-bounds", "add guard"),
    (("edit", "add", "out[y, x] =", "out[x, y] ="), "out-of-bounds", "add"),
    (("edit", "guard", "x < out.shape[1]", "x < out.shape[0]"), "never-written", "def"),
    (("edit", "add", "row[x]", "row[y]"), "wrong-result", ""),
]
