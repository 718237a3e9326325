"""The place of each key in a sorted list, by binary search."""
import numpy as np
from numba import cuda


@cuda.jit
def kernel(table, keys, out):
    i = cuda.grid(1)
    if i < keys.size:  # @guard
        low, high = 0, table.size  # @bounds
        while low < high:  # @loop
            middle = (low + high) >> 1
            if table[middle] < keys[i]:  # @test
                low = middle + 1  # @up
            else:
                high = middle  # @down
        out[i] = low  # @store


def case(random):
    table = np.sort(random.integers(0, 1000, 100))
    keys = random.integers(0, 1001, 200)
    keys[0] = 1005
    return {
        "grid": 4, "block": 64,
        "arguments": {"table": table, "keys": keys, "out": np.zeros_like(keys)},
        "right": {"out": np.searchsorted(table, keys)},
    }


FAULTS = [
    (("always", "guard"), "out-of-bounds", "test store guard"),
    (("edit", "loop", "low < high", "low <= high"), "budget out-of-bounds", "loop test"),
    (("edit", "up", "middle + 1", "middle"), "budget", "loop up"),
    (("edit", "bounds", "table.size", "table.size + 1"), "out-of-bounds", "test bounds"),
    (("drop", "store"), "never-written", "def"),
    (("edit", "store", "out[i]", "out[low]"), "global-race never-written", "store def"),
]
