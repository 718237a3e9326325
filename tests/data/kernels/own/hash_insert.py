"""Puts keys into a table with open addressing, by compare-and-swap."""
import numpy as np
from numba import cuda

EMPTY = -1


@cuda.jit
def kernel(keys, table):
    i = cuda.grid(1)
    if i < keys.size:  # @guard
        key = keys[i]  # @load
        slot = (key * 7919) % table.size  # @hash
        for step in range(table.size):
            seen = cuda.atomic.cas(table, slot, EMPTY, key)  # @cas
            if seen == EMPTY or seen == key:  # @test
                break  # @break
            slot = (slot + 1) % table.size  # @next


def case(random):
    keys = random.choice(10_000, 150, replace=False).astype(np.int64)
    return {
        "grid": 3, "block": 64,
        "arguments": {"keys": keys, "table": np.full(256, EMPTY)},
        "right": {"table": np.sort(np.concatenate([keys, np.full(106, EMPTY)]))},
        "sorted": ["table"], "outputs": [],
    }


FAULTS = [
    (("always", "guard"), "out-of-bounds", "load guard"),
    (("edit", "cas", "seen = cuda.atomic.cas(table, slot, EMPTY, key)", "seen = table[slot]; table[slot] = key if seen == EMPTY else seen"), "global-race", "cas"),
    (("edit", "next", "(slot + 1) % table.size", "slot + 40"), "out-of-bounds", "cas next"),
    (("edit", "hash", "% table.size", "% 300"), "out-of-bounds", "cas hash"),
    (("drop", "break"), "wrong-result", ""),
]
