"""One pass of a radix sort in a block: zeros of a bit first, each in their order."""
import numpy as np
from numba import cuda, int32

N = 64
SUMS = N + 1


@cuda.jit
def kernel(keys, bit, out):
    ones = cuda.shared.array(SUMS, int32)
    t = cuda.threadIdx.x
    key = keys[cuda.grid(1)]
    b = (key >> bit) & 1
    if t == 0:
        ones[0] = 0  # @zero
    ones[t + 1] = b  # @put
    cuda.syncthreads()  # @sync
    if t == 0:  # @one
        for k in range(1, N + 1):  # @loop
            ones[k] += ones[k - 1]  # @add
    cuda.syncthreads()  # @again
    zeros = N - ones[N]  # @zeros
    place = zeros + ones[t] if b == 1 else t - ones[t]  # @place
    out[cuda.blockIdx.x * N + place] = key  # @store


def case(random):
    keys = random.integers(0, 256, 4 * N).astype(np.int32)
    rows = keys.reshape(4, N)
    order = np.argsort(rows >> 3 & 1, axis=1, kind="stable")
    return {
        "grid": 4, "block": N,
        "arguments": {"keys": keys, "bit": 3, "out": np.zeros_like(keys)},
        "right": {"out": np.take_along_axis(rows, order, axis=1).reshape(-1)},
    }


FAULTS = [
    (("drop", "zero"), "uninitialised-read", "add place zero"),
    (("drop", "sync"), "race", "put add"),
    (("drop", "again"), "race", "add zeros place"),
    (("always", "one"), "race", "add one"),
    (("further", "loop"), "out-of-bounds", "add loop"),
    (("edit", "store", "cuda.blockIdx.x * N + place", "place"), "global-race never-written", "store def"),
    (("edit", "store", "cuda.blockIdx.x * N + place", "cuda.blockIdx.x * N + place + 1"), "out-of-bounds never-written global-race", "store def"),
    (("edit", "place", "t - ones[t]", "t"), "global-race never-written", "place store def"),
    (("edit", "put", "ones[t + 1]", "ones[t]"), "race uninitialised-read", "put zero add zeros"),
]
