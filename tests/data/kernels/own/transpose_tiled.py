"""Transpose through a shared tile, guarded on both sides."""
import numpy as np
from numba import cuda, float32

T = 16


@cuda.jit
def kernel(a, out):
    tile = cuda.shared.array((T, T), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.grid(2)
    if y < a.shape[0] and x < a.shape[1]:  # @in
        tile[ty, tx] = a[y, x]  # @fill
    cuda.syncthreads()  # @sync
    x = cuda.blockIdx.y * T + tx
    y = cuda.blockIdx.x * T + ty
    if y < out.shape[0] and x < out.shape[1]:  # @out
        out[y, x] = tile[tx, ty]  # @read


def case(random):
    a = random.random((40, 52), dtype=np.float32)
    return {
        "grid": (4, 3), "block": (T, T),
        "arguments": {"a": a, "out": np.zeros((52, 40), np.float32)},
        "right": {"out": a.T},
    }


FAULTS = [
    (("drop", "sync"), "race", "fill read"),
    (("always", "in"), "out-of-bounds", "fill in"),
    (("always", "out"), "uninitialised-read out-of-bounds", "read out"),
    (("drop", "fill"), "uninitialised-read", "read fill"),
    (("edit", "read", "tile[tx, ty]", "tile[tx, ty + 1]"), "out-of-bounds", "read"),
    (("within", "sync", "tx < T - 1"), "barrier-divergence", "sync"),
    (("edit", "sync", "cuda.syncthreads()", "cuda.syncwarp()"), "race", "fill read"),
    (("edit", "in", "x < a.shape[1]", "x < a.shape[1] - 1"), "uninitialised-read", "read in"),
    (("edit", "fill", "tile[ty, tx]", "tile[ty, 0]"), "race", "fill"),
]
