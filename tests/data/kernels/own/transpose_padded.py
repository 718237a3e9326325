"""Transpose through a tile with a spare column, whole blocks."""
import numpy as np
from numba import cuda, float32


@cuda.jit
def kernel(a, out):
    tile = cuda.shared.array((32, 33), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    bx, by = cuda.blockIdx.x * 32, cuda.blockIdx.y * 32
    tile[ty, tx] = a[by + ty, bx + tx]  # @fill
    cuda.syncthreads()  # @sync
    out[bx + ty, by + tx] = tile[tx, ty]  # @read


def case(random):
    a = random.random((64, 96), dtype=np.float32)
    return {
        "grid": (3, 2), "block": (32, 32),
        "arguments": {"a": a, "out": np.zeros((96, 64), np.float32)},
        "right": {"out": a.T},
    }


FAULTS = [
    (("drop", "sync"), "race", "fill read"),
    (("edit", "fill", "tile[ty, tx]", "tile[ty, tx + 1]"), "uninitialised-read", "read fill"),
    (("edit", "fill", "a[by + ty, bx + tx]", "a[bx + ty, by + tx]"), "out-of-bounds", "fill"),
    (("edit", "read", "out[bx + ty, by + tx]", "out[by + ty, bx + tx]"), "out-of-bounds", "read"),
    (("edit", "read", "tile[tx, ty]", "tile[tx, ty + 2]"), "uninitialised-read", "read"),
    (("edit", "read", "tile[tx, ty]", "tile[ty, tx]"), "wrong-result", ""),
]
