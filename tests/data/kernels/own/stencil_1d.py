"""A sum over seven neighbours, with a halo in shared memory; zeros beyond the ends."""
import numpy as np
from numba import cuda, float32

B, R = 64, 3
S = B + 2 * R


@cuda.jit
def kernel(a, out):
    s = cuda.shared.array(S, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t + R] = a[i] if i < a.size else float32(0)  # @fill
    if t < R:  # @edge
        s[t] = a[i - R] if i >= R else float32(0)  # @left
        s[t + B + R] = a[i + B] if i + B < a.size else float32(0)  # @right
    cuda.syncthreads()  # @sync
    if i < a.size:  # @guard
        total = float32(0)
        for k in range(2 * R + 1):  # @loop
            total += s[t + k]  # @read
        out[i] = total  # @store


def case(random):
    a = random.random(300, dtype=np.float32)
    return {
        "grid": 5, "block": B,
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": np.convolve(a, np.ones(7, np.float32), "same")}, "tolerance": 1e-5,
    }


FAULTS = [
    (("drop", "sync"), "race", "fill left right read"),
    (("drop", "left"), "uninitialised-read", "read left"),
    (("drop", "right"), "uninitialised-read", "read right"),
    (("edit", "edge", "t < R", "t < R - 1"), "uninitialised-read", "read edge"),
    (("edit", "right", "a[i + B] if i + B < a.size else float32(0)", "a[i + B]"), "out-of-bounds", "right"),
    (("always", "edge"), "race out-of-bounds", "fill left right edge"),
    (("further", "loop"), "out-of-bounds uninitialised-read", "read loop"),
    (("always", "guard"), "out-of-bounds", "store guard"),
    (("edit", "read", "s[t + k]", "s[t + k + 1]"), "out-of-bounds", "read"),
    (("edit", "fill", "s[t + R]", "s[t]"), "race uninitialised-read", "fill left read"),
    (("within", "sync", "t >= R"), "barrier-divergence", "sync"),
]
