"""A product of matrices: 32×32 tiles of the result, four elements a thread in local memory."""
import numpy as np
from numba import cuda, float32

T, K, EACH = 32, 8, 4


@cuda.jit
def kernel(a, b, c):
    left = cuda.shared.array((T, K), float32)
    right = cuda.shared.array((K, T), float32)
    acc = cuda.local.array(EACH, float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = ty * T + tx
    row, column = cuda.blockIdx.y * T, cuda.blockIdx.x * T
    for i in range(EACH):  # @init
        acc[i] = float32(0)  # @zero
    for first in range(0, a.shape[1], K):  # @tiles
        left[t // K, t % K] = a[row + t // K, first + t % K]  # @filla
        right[t // T, t % T] = b[first + t // T, column + t % T]  # @fillb
        cuda.syncthreads()  # @sync
        for k in range(K):  # @loop
            for i in range(EACH):
                acc[i] += left[ty * EACH + i, k] * right[k, tx]  # @mul
        cuda.syncthreads()  # @again
    for i in range(EACH):  # @last
        c[row + ty * EACH + i, column + tx] = acc[i]  # @store


def case(random):
    a, b = random.random((64, 24), dtype=np.float32), random.random((24, 32), dtype=np.float32)
    return {
        "grid": (1, 2), "block": (T, T // EACH),
        "arguments": {"a": a, "b": b, "c": np.zeros((64, 32), np.float32)},
        "right": {"c": a @ b}, "tolerance": 1e-5,
    }


FAULTS = [
    (("drop", "sync"), "race", "filla fillb mul"),
    (("drop", "again"), "race", "filla fillb mul"),
    (("drop", "zero"), "uninitialised-read", "mul zero"),
    (("edit", "init", "EACH", "EACH - 1"), "uninitialised-read", "mul init"),
    (("edit", "last", "EACH", "EACH - 1"), "never-written", "def"),
    (("further", "last"), "out-of-bounds", "store last"),
    (("edit", "mul", "ty * EACH + i", "ty * EACH + i + 1"), "out-of-bounds", "mul"),
    (("edit", "store", "ty * EACH + i", "ty + i"), "global-race never-written", "store def"),
    (("edit", "filla", "t // K, t % K]", "t // K, t % K // 2]"), "race uninitialised-read", "filla mul"),
    (("further", "loop"), "out-of-bounds", "mul loop"),
]
