"""Exclusive sums of a block by an up- and a down-sweep, two elements a thread."""
import numpy as np
from numba import cuda, int32

N = 128


@cuda.jit
def kernel(a, out):
    s = cuda.shared.array(N, int32)
    t = cuda.threadIdx.x
    base = cuda.blockIdx.x * N
    s[2 * t] = a[base + 2 * t]  # @even
    s[2 * t + 1] = a[base + 2 * t + 1]  # @odd
    d = 1
    active = N // 2
    while active > 0:
        cuda.syncthreads()  # @up
        if t < active:
            s[d * (2 * t + 2) - 1] += s[d * (2 * t + 1) - 1]  # @sum
        d *= 2
        active //= 2
    cuda.syncthreads()  # @mid
    if t == 0:
        s[N - 1] = 0  # @zero
    active = 1
    while active < N:
        d //= 2
        cuda.syncthreads()  # @down
        if t < active:  # @who
            left = s[d * (2 * t + 1) - 1]  # @left
            s[d * (2 * t + 1) - 1] = s[d * (2 * t + 2) - 1]  # @swap
            s[d * (2 * t + 2) - 1] += left  # @right
        active *= 2
    cuda.syncthreads()  # @end
    out[base + 2 * t] = s[2 * t]  # @store
    out[base + 2 * t + 1] = s[2 * t + 1]  # @last


def case(random):
    a = random.integers(0, 100, 3 * N).astype(np.int32)
    sums = (np.cumsum(a.reshape(3, N), axis=1) - a.reshape(3, N)).reshape(-1).astype(np.int32)
    return {
        "grid": 3, "block": N // 2,
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": sums},
    }


FAULTS = [
    (("drop", "up"), "race", "even odd sum"),
    (("drop", "mid"), "equivalent", "thread 0 wrote the last sum itself, and the down-sweep begins with a barrier"),
    (("drop", "down"), "race", "zero left swap right sum"),
    (("drop", "end"), "equivalent", "the last step of the down-sweep writes the two elements that the same thread stores"),
    (("drop", "odd"), "uninitialised-read", "sum odd"),
    (("drop", "last"), "never-written", "def"),
    (("edit", "sum", "2 * t + 2", "2 * t + 3"), "race out-of-bounds", "sum"),
    (("always", "who"), "out-of-bounds race", "left swap right who"),
    (("drop", "zero"), "wrong-result", ""),
]
