"""Keeps the elements above a bound, in order: a scan of flags within one block."""
import numpy as np
from numba import cuda, int32

B = 128


@cuda.jit
def kernel(a, bound, out, count):
    s = cuda.shared.array(B, int32)
    t = cuda.threadIdx.x
    flag = 1 if t < a.size and a[t] > bound else 0  # @flag
    s[t] = flag  # @put
    cuda.syncthreads()  # @sync
    d = 1
    while d < B:
        v = 0
        if t >= d:  # @who
            v = s[t - d]  # @get
        cuda.syncthreads()  # @read
        s[t] += v  # @add
        cuda.syncthreads()  # @wrote
        d *= 2
    if flag == 1:  # @kept
        out[s[t] - 1] = a[t]  # @store
    if t == B - 1:  # @last
        count[0] = s[t]  # @count


def case(random):
    a = random.random(110, dtype=np.float32)
    kept = a[a > 0.4]
    return {
        "grid": 1, "block": B,
        "arguments": {"a": a, "bound": 0.4, "out": np.zeros(kept.size, np.float32), "count": np.zeros(1, np.int32)},
        "right": {"out": kept, "count": np.array([kept.size])},
    }


FAULTS = [
    (("edit", "flag", "t < a.size and ", ""), "out-of-bounds", "flag"),
    (("drop", "sync"), "race", "put get"),
    (("drop", "read"), "race", "get add"),
    (("drop", "wrote"), "race", "add get"),
    (("always", "last"), "global-race", "count last"),
    (("always", "kept"), "out-of-bounds global-race", "store kept"),
    (("edit", "store", "s[t] - 1", "s[t]"), "out-of-bounds never-written", "store def"),
    (("drop", "count"), "never-written", "def"),
    (("always", "who"), "global-race never-written", "store def"),
    (("edit", "last", "t == B - 1", "t == B"), "never-written", "def"),
]
