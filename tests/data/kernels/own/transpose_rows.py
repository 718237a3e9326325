"""Transpose with 32×8 threads, four rows a thread."""
import numpy as np
from numba import cuda, float32

T, ROWS = 32, 8
PITCH = T + 1


@cuda.jit
def kernel(a, out):
    tile = cuda.shared.array((T, PITCH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.blockIdx.x * T + tx, cuda.blockIdx.y * T + ty
    for j in range(0, T, ROWS):  # @in
        if x < a.shape[1] and y + j < a.shape[0]:  # @guard
            tile[ty + j, tx] = a[y + j, x]  # @fill
    cuda.syncthreads()  # @sync
    x, y = cuda.blockIdx.y * T + tx, cuda.blockIdx.x * T + ty
    for j in range(0, T, ROWS):  # @out
        if x < out.shape[1] and y + j < out.shape[0]:  # @last
            out[y + j, x] = tile[tx, ty + j]  # @read


def case(random):
    a = random.random((50, 80), dtype=np.float32)
    return {
        "grid": (3, 2), "block": (T, ROWS),
        "arguments": {"a": a, "out": np.zeros((80, 50), np.float32)},
        "right": {"out": a.T},
    }


FAULTS = [
    (("drop", "sync"), "race", "fill read"),
    (("edit", "in", "0, T, ROWS", "0, T - ROWS, ROWS"), "uninitialised-read", "read in"),
    (("edit", "out", "0, T, ROWS", "0, T - ROWS, ROWS"), "never-written", "def"),
    (("edit", "guard", " and y + j < a.shape[0]", ""), "out-of-bounds", "fill guard"),
    (("edit", "guard", "y + j < a.shape[0]", "y < a.shape[0]"), "out-of-bounds", "fill guard"),
    (("further", "in"), "out-of-bounds", "fill in"),
    (("edit", "in", "0, T, ROWS", "0, T, 2 * ROWS"), "uninitialised-read", "read in"),
    (("edit", "last", " and y + j < out.shape[0]", ""), "out-of-bounds", "read last"),
]
