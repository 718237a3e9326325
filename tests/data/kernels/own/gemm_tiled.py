"""A product of matrices in 16×16 tiles, with zeros beyond the edges."""
import numpy as np
from numba import cuda, float32

T = 16


@cuda.jit
def kernel(a, b, c):
    left = cuda.shared.array((T, T), float32)
    right = cuda.shared.array((T, T), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.grid(2)
    total = float32(0)
    for first in range(0, a.shape[1], T):  # @tiles
        left[ty, tx] = float32(0)  # @zeroa
        right[ty, tx] = float32(0)  # @zerob
        if y < a.shape[0] and first + tx < a.shape[1]:  # @ina
            left[ty, tx] = a[y, first + tx]  # @filla
        if first + ty < b.shape[0] and x < b.shape[1]:  # @inb
            right[ty, tx] = b[first + ty, x]  # @fillb
        cuda.syncthreads()  # @sync
        for k in range(T):  # @loop
            total += left[ty, k] * right[k, tx]  # @mul
        cuda.syncthreads()  # @again
    if y < c.shape[0] and x < c.shape[1]:  # @guard
        c[y, x] = total  # @store


def case(random):
    a, b = random.random((30, 41), dtype=np.float32), random.random((41, 20), dtype=np.float32)
    return {
        "grid": (2, 2), "block": (T, T),
        "arguments": {"a": a, "b": b, "c": np.zeros((30, 20), np.float32)},
        "right": {"c": a @ b}, "tolerance": 1e-5,
    }


FAULTS = [
    (("drop", "sync"), "race", "filla fillb mul"),
    (("drop", "again"), "race", "filla fillb mul zeroa zerob"),
    (("edit", "ina", " and first + tx < a.shape[1]", ""), "out-of-bounds", "filla ina"),
    (("edit", "inb", "first + ty < b.shape[0] and ", ""), "out-of-bounds", "fillb inb"),
    (("always", "guard"), "out-of-bounds", "store guard"),
    (("further", "loop"), "out-of-bounds", "mul loop"),
    (("edit", "fillb", "right[ty, tx] =", "right[tx, ty] ="), "race", "fillb zerob"),
    (("within", "again", "y < c.shape[0]"), "barrier-divergence", "again"),
    (("edit", "filla", "a[y, first + tx]", "a[y, x]"), "wrong-result", ""),
    (("edit", "mul", "right[k, tx]", "right[tx, k]"), "wrong-result", ""),
    (("edit", "sync", "cuda.syncthreads()", "cuda.syncwarp()"), "race", "filla fillb mul zeroa zerob"),
]
