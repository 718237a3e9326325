"""Many small products, a block each, the factors kept whole in shared memory."""
import numpy as np
from numba import cuda, float64

N = 8


@cuda.jit
def kernel(a, b, c):
    left = cuda.shared.array((N, N), float64)
    right = cuda.shared.array((N, N), float64)
    which = cuda.blockIdx.x
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    left[y, x] = a[which, y, x]  # @filla
    right[y, x] = b[which, y, x]  # @fillb
    cuda.syncthreads()  # @sync
    total = 0.0
    for k in range(N):  # @loop
        total += left[y, k] * right[k, x]  # @mul
    c[which, y, x] = total  # @store


def case(random):
    a, b = random.random((2, 5, N, N))
    return {
        "grid": 5, "block": (N, N),
        "arguments": {"a": a, "b": b, "c": np.zeros((5, N, N))},
        "right": {"c": a @ b}, "tolerance": 1e-12,
    }


FAULTS = [
    (("drop", "sync"), "race", "filla fillb mul"),
    (("drop", "fillb"), "uninitialised-read", "mul fillb"),
    (("further", "loop"), "out-of-bounds", "mul loop"),
    (("edit", "store", "c[which, y, x]", "c[0, y, x]"), "global-race", "store"),
    (("edit", "filla", "a[which, y, x]", "a[x, y, which]"), "out-of-bounds", "filla"),
    (("edit", "sync", "cuda.syncthreads()", "cuda.syncwarp()"), "race", "fillb mul"),
]
