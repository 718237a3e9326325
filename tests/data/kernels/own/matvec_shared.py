"""A matrix times a vector, a thread to a row, the vector through shared memory piece by piece."""
import numpy as np
from numba import cuda, float32

B = 32


@cuda.jit
def kernel(a, x, y):
    piece = cuda.shared.array(B, float32)
    row, t = cuda.grid(1), cuda.threadIdx.x
    total = float32(0)
    for first in range(0, x.size, B):
        if first + t < x.size:  # @in
            piece[t] = x[first + t]  # @fill
        cuda.syncthreads()  # @sync
        if row < a.shape[0]:  # @guard
            for k in range(min(B, x.size - first)):  # @loop
                total += a[row, first + k] * piece[k]  # @mul
        cuda.syncthreads()  # @again
    if row < a.shape[0]:
        y[row] = total  # @store


def case(random):
    a, x = random.random((50, 75), dtype=np.float32), random.random(75, dtype=np.float32)
    return {
        "grid": 2, "block": B,
        "arguments": {"a": a, "x": x, "y": np.zeros(50, np.float32)},
        "right": {"y": a @ x}, "tolerance": 1e-5,
    }


FAULTS = [
    (("drop", "sync"), "race", "fill mul"),
    (("drop", "again"), "race", "fill mul"),
    (("always", "in"), "out-of-bounds", "fill in"),
    (("always", "guard"), "out-of-bounds", "mul guard"),
    (("edit", "loop", "min(B, x.size - first)", "B"), "out-of-bounds", "mul loop"),
    (("within", "sync", "row < a.shape[0]"), "barrier-divergence", "sync"),
    (("edit", "fill", "piece[t]", "piece[t // 2]"), "race uninitialised-read", "fill mul"),
]
