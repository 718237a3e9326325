"""Blocks take rows from a queue until none is left; the row's number is shared."""
import numpy as np
from numba import cuda, int32, int64

B = 32


@cuda.jit
def kernel(a, queue, out):
    row = cuda.shared.array(1, int32)
    s = cuda.shared.array(B, int64)
    t = cuda.threadIdx.x
    while True:
        if t == 0:
            row[0] = cuda.atomic.add(queue, 0, 1)  # @take
        cuda.syncthreads()  # @know
        mine = row[0]  # @mine
        if mine >= a.shape[0]:  # @end
            break
        s[t] = a[mine, t]  # @fill
        cuda.syncthreads()  # @sync
        if t == 0:
            total = 0
            for k in range(B):  # @loop
                total += s[k]  # @sum
            out[mine] = total  # @store
        cuda.syncthreads()  # @again


def case(random):
    a = random.integers(0, 100, (11, B))
    return {
        "grid": 3, "block": B,
        "arguments": {"a": a, "queue": np.zeros(1, np.int32), "out": np.zeros(11, np.int64)},
        "right": {"out": a.sum(axis=1)},
    }


FAULTS = [
    (("drop", "know"), "race", "take mine"),
    (("drop", "sync"), "race", "fill sum"),
    (("drop", "again"), "equivalent", "the barrier after the next take orders them, and the row's number was read before the barrier in the middle"),
    (("plain", "take"), "global-race", "take"),
    (("edit", "end", ">=", ">"), "out-of-bounds", "fill end store"),
    (("further", "loop"), "out-of-bounds", "sum loop"),
    (("edit", "end", "mine >= a.shape[0]", "t > 3"), "barrier-divergence", "sync end again know"),
    (("edit", "store", "out[mine]", "out[0]"), "global-race never-written", "store def"),
]
