"""One thread of each block adds to a table of two fields under a lock."""
import numpy as np
from numba import cuda


@cuda.jit
def kernel(a, lock, fields):
    if cuda.threadIdx.x == 0:  # @lead
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:  # @lock
            pass
        fields[0] += a[cuda.blockIdx.x]  # @sum
        fields[1] = max(fields[1], a[cuda.blockIdx.x])  # @max
        cuda.threadfence()  # @fence
        cuda.atomic.exch(lock, 0, 0)  # @unlock


def case(random):
    a = random.integers(0, 1000, 5)
    return {
        "grid": 5, "block": 64,
        "arguments": {"a": a, "lock": np.zeros(1, np.int64), "fields": np.zeros(2, np.int64)},
        "right": {"fields": np.array([a.sum(), a.max()])},
    }


FAULTS = [
    (("edit", "lock", "cuda.atomic.cas(lock, 0, 0, 1) != 0", "False"), "global-race", "sum max"),
    (("drop", "fence"), "global-race", "sum max"),
    (("edit", "fence", "threadfence", "threadfence_block"), "global-race", "sum max"),
    (("drop", "unlock"), "no-progress", "lock"),
    (("edit", "lock", "!= 0", "!= 5"), "no-progress", "lock"),
    (("edit", "sum", "fields[0]", "fields[2]"), "out-of-bounds", "sum"),
    (("drop", "max"), "never-written", "def"),
    (("edit", "max", "fields[1] =", "fields[0] ="), "never-written", "def"),
]
