"""Each warp's values go round by one lane: a shuffle for most, shared memory for none."""
import numpy as np
from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit
def kernel(a, out):
    i = cuda.grid(1)
    lane = cuda.laneid
    v = a[i]  # @load
    below = cuda.shfl_up_sync(FULL, v, 1)  # @up
    last = cuda.shfl_sync(FULL, v, 31)  # @last
    out[i] = last if lane == 0 else below  # @store


def case(random):
    a = random.integers(0, 1000, 192).astype(np.int32)
    return {
        "grid": 2, "block": 96,
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": np.roll(a.reshape(6, 32), 1, axis=1).reshape(-1)},
    }


FAULTS = [
    (("edit", "store", "out[i]", "out[lane]"), "global-race never-written", "store def"),
    (("shift", "load", "a", 1), "out-of-bounds", "load"),
    (("shift", "store", "out", 1), "out-of-bounds never-written", "store def"),
    (("edit", "up", "v, 1", "v, 2"), "wrong-result", ""),
    (("edit", "last", "v, 31", "v, 30"), "wrong-result", ""),
]
