"""Reverses each block's piece in shared memory whose size the launch gives."""
import numpy as np
from numba import cuda, int32


@cuda.jit
def kernel(a, out):
    s = cuda.shared.array(0, int32)
    t, n = cuda.threadIdx.x, cuda.blockDim.x
    first = cuda.blockIdx.x * n
    s[t] = a[first + t]  # @fill
    cuda.syncthreads()  # @sync
    out[first + t] = s[n - 1 - t]  # @read


def case(random):
    a = random.integers(0, 99, 288).astype(np.int32)
    return {
        "grid": 3, "block": 96, "shared_bytes": 4 * 96,
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": a.reshape(3, 96)[:, ::-1].reshape(-1)},
    }


FAULTS = [
    (("drop", "sync"), "race", "fill read"),
    (("edit", "read", "n - 1 - t", "n - t"), "out-of-bounds", "read"),
    (("shift", "fill", "s", 1), "out-of-bounds uninitialised-read", "fill read"),
    (("edit", "fill", "s[t]", "s[t // 2 * 2]"), "race uninitialised-read", "fill read"),
    (("drop", "fill"), "uninitialised-read", "read fill"),
    (("edit", "read", "out[first + t]", "out[t]"), "global-race never-written", "read def"),
    (("edit", "sync", "cuda.syncthreads()", "cuda.threadfence_block()"), "race", "fill read"),
]
