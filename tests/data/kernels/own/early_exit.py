"""Threads that find nothing return at once; the rest look for the first zero of their row."""
import numpy as np
from numba import cuda


@cuda.jit
def kernel(a, out):
    row = cuda.grid(1)
    if row >= a.shape[0]:  # @leave
        return  # @return
    out[row] = -1  # @none
    for k in range(a.shape[1]):  # @loop
        if a[row, k] == 0:  # @test
            out[row] = k  # @found
            return  # @done


def case(random):
    a = random.integers(0, 8, (150, 12)).astype(np.int32)
    zero = a == 0
    return {
        "grid": 3, "block": 64,
        "arguments": {"a": a, "out": np.zeros(150, np.int32)},
        "right": {"out": np.where(zero.any(axis=1), zero.argmax(axis=1), -1).astype(np.int32)},
    }


FAULTS = [
    (("drop", "return"), "out-of-bounds", "none return leave test"),
    (("drop", "none"), "never-written", "def"),
    (("further", "loop"), "out-of-bounds", "test loop"),
    (("edit", "leave", ">=", ">"), "out-of-bounds", "none leave test"),
    (("edit", "none", "out[row] = -1", "cuda.syncthreads()"), "never-written", "def"),
    (("edit", "found", "out[row] = k", "out[k] = row"), "global-race", "none found"),
    (("drop", "done"), "wrong-result", ""),
]
