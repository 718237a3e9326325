"""The largest of the last 16 elements, by doubling windows in one shared array."""
import numpy as np
from numba import cuda, int32

B = 128


@cuda.jit
def kernel(a, out):
    s = cuda.shared.array(B, int32)
    t = cuda.threadIdx.x
    s[t] = a[t]  # @fill
    d = 1
    while d < 16:
        cuda.syncthreads()  # @sync
        v = s[t]  # @own
        if t >= d:  # @who
            v = max(v, s[t - d])  # @get
        cuda.syncthreads()  # @read
        s[t] = v  # @put
        d *= 2
    out[t] = s[t]  # @store


def case(random):
    a = random.integers(0, 10_000, B).astype(np.int32)
    right = np.array([a[max(0, k - 15) : k + 1].max() for k in range(B)], np.int32)
    return {
        "grid": 1, "block": B,
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": right},
    }


FAULTS = [
    (("drop", "sync"), "race", "fill get put"),
    (("drop", "read"), "race", "get put"),
    (("edit", "get", "t - d", "t + d"), "out-of-bounds", "get"),
    (("drop", "fill"), "uninitialised-read", "own get fill"),
    (("edit", "store", "s[t]", "s[B - 1 - t]"), "race", "put store"),
    (("within", "read", "t >= d"), "barrier-divergence", "read"),
    (("always", "who"), "wrong-result", ""),
]
