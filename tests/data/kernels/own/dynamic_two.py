"""One piece of dynamic shared memory, cut into keys and values by slices."""
import numpy as np
from numba import cuda, float32


@cuda.jit
def kernel(a, b, out):
    both = cuda.shared.array(0, float32)
    n = cuda.blockDim.x
    one, two = both[:n], both[n : 2 * n]  # @cut
    t, i = cuda.threadIdx.x, cuda.grid(1)
    one[t] = a[i]  # @one
    two[t] = b[i]  # @two
    cuda.syncthreads()  # @sync
    out[i] = one[n - 1 - t] - two[(t + 1) % n]  # @read


def case(random):
    a, b = random.random((2, 192), dtype=np.float32)
    right = a.reshape(3, 64)[:, ::-1] - np.roll(b.reshape(3, 64), -1, axis=1)
    return {
        "grid": 3, "block": 64, "shared_bytes": 8 * 64,
        "arguments": {"a": a, "b": b, "out": np.zeros_like(a)},
        "right": {"out": right.reshape(-1)},
    }


FAULTS = [
    (("drop", "sync"), "race", "one two read"),
    (("edit", "cut", "both[n : 2 * n]", "both[n - 1 : 2 * n]"), "race", "one two"),
    (("edit", "read", "two[(t + 1) % n]", "two[t + 1]"), "out-of-bounds", "read"),
    (("drop", "two"), "uninitialised-read", "read two"),
    (("edit", "cut", "both[n : 2 * n]", "both[:n]"), "wrong-result", ""),
]
