"""Counts keys: lanes of a warp with the same key let the lowest of them add for all."""
import numpy as np
from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit
def kernel(keys, counts):
    i = cuda.grid(1)
    key = keys[i]  # @load
    peers = cuda.match_any_sync(FULL, key)
    leader = cuda.ffs(peers) - 1
    if cuda.laneid == leader:  # @lead
        cuda.atomic.add(counts, key, cuda.popc(peers))  # @add


def case(random):
    keys = random.integers(0, 10, 384).astype(np.int32)
    return {
        "grid": 3, "block": 128,
        "arguments": {"keys": keys, "counts": np.zeros(10, np.int32)},
        "right": {"counts": np.bincount(keys, minlength=10).astype(np.int32)},
    }


FAULTS = [
    (("plain", "add"), "global-race", "add"),
    (("edit", "add", "counts, key", "counts, key + 1"), "out-of-bounds never-written", "add def"),
    (("drop", "add"), "never-written", "def"),
    (("edit", "add", "cuda.atomic.add(counts, key, cuda.popc(peers))", "counts[key] = counts[key] + cuda.popc(peers)"), "global-race", "add"),
    (("always", "lead"), "wrong-result", ""),
]
