"""Bitonic sort of a block's elements in shared memory."""
import numpy as np
from numba import cuda, int32

N = 128


@cuda.jit
def kernel(a):
    s = cuda.shared.array(N, int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = a[i]  # @fill
    cuda.syncthreads()  # @sync
    size = 2
    while size <= N:
        d = size // 2
        while d > 0:
            other = t ^ d
            if other > t:  # @who
                up = (t & size) == 0
                if (s[t] > s[other]) == up:  # @test
                    v = s[t]  # @take
                    s[t] = s[other]  # @swap
                    s[other] = v  # @put
            cuda.syncthreads()  # @step
            d //= 2
        size *= 2
    a[i] = s[t]  # @store


def case(random):
    a = random.integers(-1000, 1000, 3 * N).astype(np.int32)
    return {
        "grid": 3, "block": N,
        "arguments": {"a": a.copy()},
        "right": {"a": np.sort(a.reshape(3, N), axis=1).reshape(-1)},
    }


FAULTS = [
    (("drop", "sync"), "race", "fill test take swap put"),
    (("drop", "step"), "race", "test take swap put store"),
    (("always", "who"), "race", "test take swap put who"),
    (("edit", "step", "cuda.syncthreads()", "cuda.syncwarp()"), "race", "test take swap put store"),
    (("drop", "fill"), "uninitialised-read", "test store fill"),
    (("edit", "store", "s[t]", "s[t + 1]"), "out-of-bounds", "store"),
    (("within", "step", "other > t"), "barrier-divergence", "step"),
    (("edit", "store", "a[i]", "a[t]"), "global-race", "store fill"),
]
