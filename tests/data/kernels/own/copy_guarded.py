"""A copy, one element a thread; the last block is not full."""
import numpy as np
from numba import cuda


@cuda.jit
def kernel(a, out):
    i = cuda.grid(1)
    if i < a.size:  # @guard
        out[i] = a[i]  # @move


def case(random):
    a = random.random(1000, dtype=np.float32)
    return {
        "grid": 8, "block": 128,
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": a},
    }


FAULTS = [
    (("always", "guard"), "out-of-bounds", "move guard"),
    (("edit", "guard", "i < a.size", "i <= a.size"), "out-of-bounds", "move guard"),
    (("shift", "move", "a", 1), "out-of-bounds", "move"),
    (("edit", "guard", "i < a.size", "i < a.size - 1"), "never-written", "def"),
    (("edit", "guard", "i < a.size", "0 < i < a.size"), "never-written", "def"),
    (("drop", "move"), "never-written", "def"),
    (("edit", "move", "out[i]", "out[i % 512]"), "global-race", "move"),
]
