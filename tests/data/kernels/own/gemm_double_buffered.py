"""A product of matrices that loads the next tile while it multiplies the present one."""
import numpy as np
from numba import cuda, float32

T = 8


@cuda.jit
def kernel(a, b, c):
    left = cuda.shared.array((2, T, T), float32)
    right = cuda.shared.array((2, T, T), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.grid(2)
    left[0, ty, tx] = a[y, tx]  # @filla
    right[0, ty, tx] = b[ty, x]  # @fillb
    cuda.syncthreads()  # @sync
    total = float32(0)
    tiles = a.shape[1] // T
    for tile in range(tiles):  # @tiles
        now = tile % 2
        if tile + 1 < tiles:  # @more
            left[1 - now, ty, tx] = a[y, (tile + 1) * T + tx]  # @nexta
            right[1 - now, ty, tx] = b[(tile + 1) * T + ty, x]  # @nextb
        for k in range(T):
            total += left[now, ty, k] * right[now, k, tx]  # @mul
        cuda.syncthreads()  # @again
    c[y, x] = total  # @store


def case(random):
    a, b = random.random((16, 40), dtype=np.float32), random.random((40, 24), dtype=np.float32)
    return {
        "grid": (3, 2), "block": (T, T),
        "arguments": {"a": a, "b": b, "c": np.zeros((16, 24), np.float32)},
        "right": {"c": a @ b}, "tolerance": 1e-5,
    }


FAULTS = [
    (("drop", "sync"), "race", "filla fillb mul"),
    (("drop", "again"), "race", "nexta nextb mul"),
    (("always", "more"), "out-of-bounds", "nexta nextb more"),
    (("edit", "nextb", "right[1 - now, ty, tx]", "right[now, ty, tx]"), "race", "nextb mul fillb"),
    (("edit", "more", "tile + 1 < tiles", "tile + 2 < tiles"), "wrong-result", ""),
    (("drop", "nexta"), "uninitialised-read", "mul nexta"),
    (("within", "again", "tile + 1 < tiles or ty > 0"), "barrier-divergence", "again"),
    (("drop", "fillb"), "uninitialised-read", "mul fillb"),
]
