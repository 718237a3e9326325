"""Block 0 makes a table and raises a flag; the other blocks read it after they saw the flag."""
import numpy as np
from numba import cuda

B = 32


@cuda.jit
def kernel(a, table, flag, out):
    t, b = cuda.threadIdx.x, cuda.blockIdx.x
    if b == 0:
        table[t] = a[t] * a[t]  # @make
        cuda.threadfence()  # @fence
        cuda.syncthreads()  # @sync
        if t == 0:
            cuda.atomic.add(flag, 0, 1)  # @raise
        out[t] = table[t]  # @own
    else:
        if t == 0:
            while cuda.atomic.add(flag, 0, 0) == 0:  # @wait
                pass
            cuda.threadfence()  # @seen
        cuda.syncthreads()  # @go
        out[b * B + t] = table[B - 1 - t] + b  # @use


def case(random):
    a = random.integers(0, 50, B)
    first = a * a
    right = np.concatenate([first, *(first[::-1] + b for b in (1, 2))])
    return {
        "grid": 3, "block": B,
        "arguments": {"a": a, "table": np.zeros(B, np.int64), "flag": np.zeros(1, np.int64), "out": np.zeros(3 * B, np.int64)},
        "right": {"out": right},
    }


FAULTS = [
    (("drop", "fence"), "global-race", "make use"),
    (("edit", "fence", "threadfence", "threadfence_block"), "global-race", "make use"),
    (("drop", "sync"), "global-race", "make use"),
    (("drop", "go"), "global-race", "make use"),
    (("drop", "seen"), "equivalent", "the atomic is what makes the flag seen; on the reader's side a fence is not asked for"),
    (("plain", "raise"), "global-race", "raise wait"),
    (("edit", "wait", "cuda.atomic.add(flag, 0, 0) == 0", "False"), "global-race", "make use wait"),
    (("edit", "use", "out[b * B + t]", "out[t]"), "global-race never-written", "use own def"),
    (("edit", "use", "table[B - 1 - t]", "table[B - t]"), "out-of-bounds", "use"),
    (("drop", "raise"), "no-progress", "wait"),
]
