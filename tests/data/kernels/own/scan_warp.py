"""Inclusive sums: shuffles within warps, then the warps' totals, then both added."""
import numpy as np
from numba import cuda, int32

B = 256
WARPS = B // 32
FULL = 0xFFFFFFFF


@cuda.jit
def kernel(a, out):
    totals = cuda.shared.array(WARPS, int32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    lane, warp = t & 31, t >> 5
    v = int32(0)
    if i < a.size:  # @in
        v = a[i]  # @load
    d = 1
    while d < 32:
        below = cuda.shfl_up_sync(FULL, v, d)
        if lane >= d:  # @who
            v = int32(v + below)
        d *= 2
    if lane == 31:  # @lead
        totals[warp] = v  # @put
    cuda.syncthreads()  # @sync
    if t == 0:  # @one
        for w in range(1, WARPS):  # @loop
            totals[w] += totals[w - 1]  # @add
    cuda.syncthreads()  # @again
    if warp > 0:  # @rest
        v = int32(v + totals[warp - 1])  # @get
    if i < a.size:
        out[i] = v  # @store


def case(random):
    a = random.integers(0, 9, 700).astype(np.int32)
    sums = np.concatenate([np.cumsum(a[k : k + B]) for k in range(0, 700, B)]).astype(np.int32)
    return {
        "grid": 3, "block": B,
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": sums},
    }


FAULTS = [
    (("drop", "sync"), "race", "put add"),
    (("drop", "again"), "race", "add get"),
    (("always", "in"), "out-of-bounds", "load in"),
    (("always", "lead"), "race", "put lead"),
    (("always", "one"), "race", "add one"),
    (("further", "loop"), "out-of-bounds", "add loop"),
    (("edit", "lead", "lane == 31", "lane == 31 and warp < 6"), "uninitialised-read", "add lead"),
    (("edit", "again", "cuda.syncthreads()", "cuda.syncwarp()"), "race", "add get"),
    (("always", "who"), "wrong-result", ""),
    (("drop", "put"), "uninitialised-read", "add get put"),
]
