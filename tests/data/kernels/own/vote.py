"""For each warp: whether all, any, how many elements are even; one thread writes."""
import numpy as np
from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit
def kernel(a, every, some, count):
    i = cuda.grid(1)
    even = a[i] % 2 == 0  # @load
    all_even = cuda.all_sync(FULL, even)
    any_even = cuda.any_sync(FULL, even)
    votes = cuda.ballot_sync(FULL, even)
    if cuda.laneid == 0:  # @lead
        every[i // 32] = all_even  # @all
        some[i // 32] = any_even  # @any
        count[i // 32] = cuda.popc(votes)  # @count


def case(random):
    a = random.integers(0, 100, 256)
    a[:32] *= 2
    a[32:64] = a[32:64] * 2 + 1
    even = (a % 2 == 0).reshape(8, 32)
    return {
        "grid": 2, "block": 128,
        "arguments": {"a": a, "every": np.zeros(8, np.bool_), "some": np.zeros(8, np.bool_), "count": np.zeros(8, np.int32)},
        "right": {"every": even.all(axis=1), "some": even.any(axis=1), "count": even.sum(axis=1)},
    }


FAULTS = [
    (("edit", "count", "count[i // 32]", "count[i // 64]"), "global-race never-written", "count def"),
    (("edit", "all", "every[i // 32]", "every[i // 32 + 1]"), "out-of-bounds never-written", "all def"),
    (("edit", "lead", "cuda.laneid == 0", "i % 64 == 0"), "never-written", "def"),
    (("drop", "any"), "never-written", "def"),
    (("edit", "count", "count[i // 32]", "count[i]"), "out-of-bounds never-written", "count def"),
    (("always", "lead"), "equivalent", "a vote is the same in all lanes"),
    (("shift", "load", "a", 1), "out-of-bounds", "load"),
]
