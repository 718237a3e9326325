"""The sum of each warp in all of its lanes, by xor exchanges."""
import numpy as np
from numba import cuda


@cuda.jit
def kernel(a, out):
    i = cuda.grid(1)
    v = a[i] if i < a.size else 0  # @load
    d = 16
    while d > 0:  # @loop
        v += cuda.shfl_xor_sync(0xFFFFFFFF, v, d)  # @give
        d >>= 1  # @halve
    if i < a.size:  # @guard
        out[i] = v  # @store


def case(random):
    a = random.integers(-100, 100, 250)
    sums = np.repeat(np.pad(a, (0, 6)).reshape(8, 32).sum(axis=1), 32)[:250]
    return {
        "grid": 2, "block": 128,
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": sums},
    }


FAULTS = [
    (("drop", "halve"), "budget", "loop halve give"),
    (("always", "guard"), "out-of-bounds", "store guard"),
    (("edit", "load", "a[i] if i < a.size else 0", "a[i]"), "out-of-bounds", "load"),
    (("edit", "store", "out[i]", "out[i + 6]"), "out-of-bounds never-written", "store def"),
    (("edit", "guard", "i < a.size", "i < a.size and v > 0"), "never-written", "def"),
    (("edit", "loop", "d > 0", "d > 1"), "wrong-result", ""),
]
