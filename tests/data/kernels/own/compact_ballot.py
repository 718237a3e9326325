"""Keeps the positive elements: a place in the warp by ballot and popc, one atomic a warp."""
import numpy as np
from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit
def kernel(a, out, count):
    i = cuda.grid(1)
    lane = cuda.laneid
    keep = i < a.size and a[i] > 0  # @keep
    votes = cuda.ballot_sync(FULL, keep)
    mine = cuda.popc(votes & ((1 << lane) - 1))  # @mine
    first = 0
    if lane == 0:  # @lead
        first = cuda.atomic.add(count, 0, cuda.popc(votes))  # @claim
    first = cuda.shfl_sync(FULL, first, 0)  # @share
    if keep:  # @kept
        out[first + mine] = a[i]  # @store


def case(random):
    a = random.integers(-100, 100, 700).astype(np.int32)
    kept = np.sort(a[a > 0])
    return {
        "grid": 3, "block": 256,
        "arguments": {"a": a, "out": np.zeros(kept.size, np.int32), "count": np.zeros(1, np.int64)},
        "right": {"out": kept, "count": np.array([kept.size])}, "sorted": ["out"],
    }


FAULTS = [
    (("edit", "keep", "i < a.size and ", ""), "out-of-bounds", "keep"),
    (("plain", "claim"), "global-race", "claim"),
    (("edit", "mine", "cuda.popc(votes & ((1 << lane) - 1))", "0"), "global-race never-written", "store def"),
    (("edit", "share", "first = cuda.shfl_sync(FULL, first, 0)", "pass"), "global-race", "store"),
    (("always", "kept"), "out-of-bounds global-race", "store kept"),
    (("edit", "mine", "(1 << lane) - 1", "(2 << lane) - 1"), "out-of-bounds never-written global-race", "store def mine"),
    (("edit", "store", "first + mine", "mine"), "global-race never-written", "store def"),
    (("always", "lead"), "out-of-bounds", "store"),
]
