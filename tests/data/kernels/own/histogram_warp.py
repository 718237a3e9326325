"""A histogram for each warp, added up at the end."""
import numpy as np
from numba import cuda, int32

BINS, WARPS = 32, 4


@cuda.jit
def kernel(values, bins):
    own = cuda.shared.array((WARPS, BINS), int32)
    t = cuda.threadIdx.x
    lane, warp = t % 32, t // 32
    own[warp, lane] = 0  # @zero
    cuda.syncwarp()  # @ready
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        cuda.atomic.add(own, (warp, values[i]), 1)  # @count
    cuda.syncthreads()  # @done
    if t < BINS:  # @first
        total = 0
        for w in range(WARPS):  # @warps
            total += own[w, t]  # @sum
        cuda.atomic.add(bins, t, total)  # @add


def case(random):
    values = random.integers(0, BINS, 2500).astype(np.int32)
    return {
        "grid": 3, "block": 32 * WARPS,
        "arguments": {"values": values, "bins": np.zeros(BINS, np.int32)},
        "right": {"bins": np.bincount(values, minlength=BINS).astype(np.int32)},
    }


FAULTS = [
    (("drop", "zero"), "uninitialised-read", "count sum zero"),
    (("drop", "ready"), "race", "zero count"),
    (("drop", "done"), "race", "count sum"),
    (("edit", "done", "cuda.syncthreads()", "cuda.syncwarp()"), "race", "count sum"),
    (("edit", "count", "cuda.atomic.add(own, (warp, values[i]), 1)", "own[warp, values[i]] += 1"), "race", "count"),
    (("plain", "add"), "global-race", "add"),
    (("further", "warps"), "out-of-bounds", "sum warps"),
    (("always", "first"), "out-of-bounds", "sum add first"),
    (("edit", "count", "(warp, values[i])", "(0, values[i])"), "race", "zero count"),
    (("edit", "zero", "own[warp, lane]", "own[lane, warp]"), "out-of-bounds uninitialised-read", "zero count sum"),
]
