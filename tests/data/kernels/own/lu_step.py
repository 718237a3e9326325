"""One step of an LU factorisation without pivots, by one block: factors, then the rest."""
import numpy as np
from numba import cuda, float64

N = 12


@cuda.jit
def kernel(a):
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    for k in range(N - 1):
        if x == k and y > k:  # @who
            a[y, k] /= a[k, k]  # @factor
        cuda.syncthreads()  # @sync
        if x > k and y > k:  # @rest
            a[y, x] -= a[y, k] * a[k, x]  # @update
        cuda.syncthreads()  # @again


def case(random):
    a = random.random((N, N)) + N * np.eye(N)
    right = a.copy()
    for k in range(N - 1):
        right[k + 1 :, k] /= right[k, k]
        right[k + 1 :, k + 1 :] -= np.outer(right[k + 1 :, k], right[k, k + 1 :])
    return {
        "grid": 1, "block": (N, N),
        "arguments": {"a": a.copy()},
        "right": {"a": right}, "outputs": [], "tolerance": 1e-10,
    }


FAULTS = [
    (("drop", "sync"), "global-race", "factor update"),
    (("drop", "again"), "global-race", "factor update"),
    (("edit", "who", "x == k and y > k", "y > k"), "global-race", "factor"),
    (("edit", "rest", "x > k and y > k", "x > k"), "global-race", "update factor"),
    (("edit", "update", "a[k, x]", "a[k, x + 1]"), "out-of-bounds", "update"),
    (("edit", "sync", "cuda.syncthreads()", "cuda.syncwarp()"), "global-race", "factor update"),
    (("within", "again", "x > k"), "barrier-divergence", "again"),
]
