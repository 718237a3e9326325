"""Merges two sorted lists: each thread finds its place by binary search on a diagonal."""
import numpy as np
from numba import cuda


@cuda.jit
def kernel(a, b, out):
    k = cuda.grid(1)
    if k >= out.size:  # @leave
        return  # @return
    low, high = max(0, k - b.size), min(k, a.size)  # @bounds
    while low < high:  # @loop
        middle = (low + high) // 2
        if a[middle] <= b[k - middle - 1]:  # @test
            low = middle + 1  # @up
        else:
            high = middle
    i, j = low, k - low
    if j >= b.size or (i < a.size and a[i] <= b[j]):  # @which
        out[k] = a[i]  # @one
    else:
        out[k] = b[j]  # @two


def case(random):
    a, b = np.sort(random.integers(0, 400, 130)), np.sort(random.integers(300, 500, 90))
    return {
        "grid": 4, "block": 64,
        "arguments": {"a": a, "b": b, "out": np.zeros(220, np.int64)},
        "right": {"out": np.sort(np.concatenate([a, b]))},
    }


FAULTS = [
    (("drop", "return"), "out-of-bounds", "one two leave return test which"),
    (("edit", "leave", "k >= out.size", "k > out.size"), "out-of-bounds", "one two leave which"),
    (("edit", "bounds", "max(0, k - b.size)", "0"), "out-of-bounds", "test bounds which one two"),
    (("edit", "bounds", "min(k, a.size)", "k"), "out-of-bounds", "test bounds which one two"),
    (("edit", "up", "middle + 1", "middle"), "budget", "loop up"),
    (("edit", "which", "j >= b.size or ", ""), "equivalent", "b ends with the largest elements: it is never used up before a"),
    (("edit", "which", "i < a.size and ", ""), "out-of-bounds", "which one"),
    (("drop", "two"), "never-written", "def"),
]
