"""A matrix times a vector, a warp to a row."""
import numpy as np
from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def kernel(a, x, y):
    row = cuda.grid(1) // 32
    lane = cuda.laneid
    if row >= a.shape[0]:  # @leave
        return  # @return
    total = float32(0)
    for k in range(lane, a.shape[1], 32):  # @loop
        total += a[row, k] * x[k]  # @mul
    for k in range(5):
        total += cuda.shfl_xor_sync(FULL, total, 1 << k)
    if lane == 0:  # @lead
        y[row] = total  # @store


def case(random):
    a, x = random.random((13, 77), dtype=np.float32), random.random(77, dtype=np.float32)
    return {
        "grid": 4, "block": 128,
        "arguments": {"a": a, "x": x, "y": np.zeros(13, np.float32)},
        "right": {"y": a @ x}, "tolerance": 1e-5,
    }


FAULTS = [
    (("drop", "return"), "out-of-bounds", "mul store leave return"),
    (("edit", "leave", "row >=", "row >"), "out-of-bounds", "mul store leave"),
    (("further", "loop"), "out-of-bounds", "mul loop"),
    (("edit", "store", "y[row]", "y[row % 4]"), "global-race never-written", "store def"),
    (("edit", "store", "y[row]", "y[lane]"), "global-race never-written", "store def"),
    (("edit", "lead", "lane == 0", "lane == 0 and row > 0"), "never-written", "def"),
    (("always", "lead"), "equivalent", "after an xor exchange all lanes hold the same sum"),
]
