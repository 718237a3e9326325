"""float16 data scaled by the largest of each row, a warp to a row."""
import numpy as np
from numba import cuda, float32


@cuda.jit
def kernel(a, out):
    row, lane = cuda.blockIdx.x, cuda.threadIdx.x
    top = float32(0)
    for k in range(lane, a.shape[1], 32):  # @loop
        top = max(top, abs(float32(a[row, k])))  # @load
    for k in range(5):
        top = max(top, cuda.shfl_xor_sync(0xFFFFFFFF, top, 1 << k))
    for k in range(lane, a.shape[1], 32):  # @last
        out[row, k] = float32(a[row, k]) / top  # @store


def case(random):
    a = random.standard_normal((4, 50)).astype(np.float16)
    wide = a.astype(np.float32)
    return {
        "grid": 4, "block": 32,
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": (wide / abs(wide).max(axis=1, keepdims=True)).astype(np.float16)}, "tolerance": 2e-3,
    }


FAULTS = [
    (("further", "loop"), "out-of-bounds", "load loop"),
    (("edit", "last", "lane, a.shape[1], 32", "lane, 32, 32"), "never-written", "def"),
    (("edit", "store", "out[row, k]", "out[row, lane]"), "never-written", "def"),
    (("edit", "store", "out[row, k]", "out[row % 2, k]"), "global-race never-written", "store def"),
    (("edit", "load", "a[row, k]", "a[row + 1, k]"), "out-of-bounds", "load"),
]
