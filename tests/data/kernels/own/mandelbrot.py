"""Counts the rounds until a point leaves the circle; each thread its own number of them."""
import numpy as np
from numba import cuda


@cuda.jit(device=True)
def rounds(x, y, most):
    re, im = 0.0, 0.0
    for k in range(most):  # @loop
        re, im = re * re - im * im + x, 2.0 * re * im + y
        if re * re + im * im > 4.0:  # @test
            return k
    return most


@cuda.jit
def kernel(left, top, step, most, out):
    x, y = cuda.grid(2)
    if x < out.shape[1] and y < out.shape[0]:  # @guard
        out[y, x] = rounds(left + x * step, top + y * step, most)  # @store


def case(random):
    x, y = np.meshgrid(-2 + 0.1 * np.arange(30), -1 + 0.1 * np.arange(20))
    right = np.full(x.shape, 25)
    re, im = np.zeros_like(x), np.zeros_like(x)
    for k in range(25):
        re, im = np.clip([re * re - im * im + x, 2 * re * im + y], -1e6, 1e6)
        right = np.where((right == 25) & (re * re + im * im > 4), k, right)
    return {
        "grid": (4, 3), "block": (8, 8),
        "arguments": {"left": -2.0, "top": -1.0, "step": 0.1, "most": 25, "out": np.zeros((20, 30), np.int32)},
        "right": {"out": right.astype(np.int32)},
    }


FAULTS = [
    (("always", "guard"), "out-of-bounds", "store guard"),
    (("edit", "store", "out[y, x] =", "out[x, y] ="), "out-of-bounds", "store"),
    (("edit", "guard", "x < out.shape[1]", "x < out.shape[0]"), "never-written", "def"),
    (("edit", "store", "out[y, x] =", "out[y, x % 8] ="), "global-race never-written", "store def"),
    (("edit", "test", "> 4.0", "> 2.0"), "wrong-result", ""),
]
