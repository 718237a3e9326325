"""Sums of segments marked by keys: each thread adds its element to its segment."""
import numpy as np
from numba import cuda, int32

B, KEYS = 64, 8


@cuda.jit
def kernel(keys, values, sums):
    own = cuda.shared.array(KEYS, int32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if t < KEYS:  # @in
        own[t] = 0  # @zero
    cuda.syncthreads()  # @sync
    if i < keys.size:  # @guard
        cuda.atomic.add(own, keys[i], values[i])  # @add
    cuda.syncthreads()  # @done
    if t < KEYS and own[t] != 0:  # @out
        cuda.atomic.add(sums, t, own[t])  # @total


def case(random):
    keys = np.sort(random.integers(0, KEYS, 300)).astype(np.int32)
    values = random.integers(1, 50, 300).astype(np.int32)
    return {
        "grid": 5, "block": B,
        "arguments": {"keys": keys, "values": values, "sums": np.zeros(KEYS, np.int32)},
        "right": {"sums": np.bincount(keys, values, KEYS).astype(np.int32)},
    }


FAULTS = [
    (("drop", "zero"), "uninitialised-read", "add out zero"),
    (("drop", "sync"), "race", "zero add"),
    (("drop", "done"), "race", "add out total"),
    (("always", "guard"), "out-of-bounds", "add guard"),
    (("plain", "add"), "race", "add"),
    (("plain", "total"), "global-race", "total"),
    (("edit", "out", "t < KEYS and ", ""), "out-of-bounds", "out total"),
    (("edit", "add", "own, keys[i]", "own, keys[i] + 1"), "out-of-bounds", "add"),
]
