"""Counts in shared memory first, then adds the block's counts."""
import numpy as np
from numba import cuda, int32

BINS = 64


@cuda.jit
def kernel(values, bins):
    own = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    if t < BINS:  # @in
        own[t] = 0  # @zero
    cuda.syncthreads()  # @sync
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):  # @loop
        cuda.atomic.add(own, values[i], 1)  # @count
    cuda.syncthreads()  # @done
    if t < BINS:  # @out
        cuda.atomic.add(bins, t, own[t])  # @add


def case(random):
    values = random.integers(0, BINS, 3000).astype(np.int32)
    return {
        "grid": 4, "block": 128,
        "arguments": {"values": values, "bins": np.zeros(BINS, np.int32)},
        "right": {"bins": np.bincount(values, minlength=BINS).astype(np.int32)},
    }


FAULTS = [
    (("drop", "zero"), "uninitialised-read", "count add zero"),
    (("drop", "sync"), "race", "zero count"),
    (("drop", "done"), "race", "count add"),
    (("plain", "count"), "race", "count"),
    (("plain", "add"), "global-race", "add"),
    (("always", "in"), "out-of-bounds", "zero in"),
    (("always", "out"), "out-of-bounds", "add out"),
    (("edit", "in", "t < BINS", "t < BINS - 1"), "uninitialised-read", "count add in"),
    (("further", "loop"), "out-of-bounds", "count loop"),
    (("edit", "in", "t < BINS", "t == 0"), "uninitialised-read", "count add in"),
]
