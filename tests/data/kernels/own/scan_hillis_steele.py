"""Inclusive sums of a block with two buffers."""
import numpy as np
from numba import cuda, int32

B = 128


@cuda.jit
def kernel(a, out):
    s = cuda.shared.array((2, B), int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[0, t] = a[i] if i < a.size else 0  # @fill
    cuda.syncthreads()  # @sync
    now = 0
    d = 1
    while d < B:
        if t >= d:  # @who
            s[1 - now, t] = s[now, t] + s[now, t - d]  # @add
        else:
            s[1 - now, t] = s[now, t]  # @keep
        cuda.syncthreads()  # @step
        now = 1 - now  # @flip
        d *= 2
    if i < a.size:  # @guard
        out[i] = s[now, t]  # @store


def case(random):
    a = random.integers(-50, 50, 500).astype(np.int32)
    sums = np.concatenate([np.cumsum(a[k : k + B]) for k in range(0, 500, B)]).astype(np.int32)
    return {
        "grid": 4, "block": B,
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": sums},
    }


FAULTS = [
    (("drop", "sync"), "race", "fill add keep"),
    (("drop", "step"), "race uninitialised-read", "add keep"),
    (("drop", "keep"), "uninitialised-read", "add store keep"),
    (("drop", "flip"), "wrong-result", ""),
    (("edit", "add", "s[1 - now, t] =", "s[now, t] ="), "race", "add"),
    (("always", "guard"), "out-of-bounds", "store guard"),
    (("edit", "fill", "a[i] if i < a.size else 0", "a[i]"), "out-of-bounds", "fill"),
    (("edit", "step", "cuda.syncthreads()", "cuda.syncwarp()"), "race", "add keep"),
    (("edit", "add", "t - d", "t - d + 1"), "wrong-result", ""),
    (("edit", "fill", "s[0, t]", "s[1, t]"), "uninitialised-read", "add keep fill"),
]
