"""Sum of a block: shuffles in each warp, then of the warps' sums."""
import numpy as np
from numba import cuda, float32

B = 256
WARPS = B // 32
FULL = 0xFFFFFFFF


@cuda.jit
def kernel(a, out):
    sums = cuda.shared.array(WARPS, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    lane, warp = t % 32, t // 32
    v = a[i] if i < a.size else float32(0)  # @load
    for k in range(5):  # @loop
        v += cuda.shfl_down_sync(FULL, v, 16 >> k)
    if lane == 0:  # @lead
        sums[warp] = v  # @put
    cuda.syncthreads()  # @sync
    if warp == 0:
        v = sums[lane] if lane < B // 32 else float32(0)  # @get
        for k in range(5):
            v += cuda.shfl_down_sync(FULL, v, 16 >> k)
        if lane == 0:
            out[cuda.blockIdx.x] = v  # @store


def case(random):
    a = random.random(1000, dtype=np.float32)
    sums = np.array([a[k : k + B].sum() for k in range(0, 1000, B)], np.float32)
    return {
        "grid": 4, "block": B,
        "arguments": {"a": a, "out": np.zeros(4, np.float32)},
        "right": {"out": sums}, "tolerance": 1e-5,
    }


FAULTS = [
    (("drop", "sync"), "race", "put get"),
    (("edit", "sync", "cuda.syncthreads()", "cuda.syncwarp()"), "race", "put get"),
    (("drop", "put"), "uninitialised-read", "get put"),
    (("always", "lead"), "race", "put lead"),
    (("edit", "get", "lane < B // 32", "lane <= B // 32"), "out-of-bounds", "get"),
    (("edit", "get", "sums[lane] if lane < B // 32 else float32(0)", "sums[lane]"), "out-of-bounds", "get"),
    (("edit", "load", "a[i] if i < a.size else float32(0)", "a[i]"), "out-of-bounds", "load"),
    (("edit", "lead", "lane == 0", "lane == 0 and warp > 0"), "uninitialised-read", "get lead"),
    (("edit", "put", "sums[warp]", "sums[warp + 1]"), "out-of-bounds uninitialised-read", "put get"),
    (("edit", "put", "sums[warp]", "sums[lane]"), "race uninitialised-read", "put get"),
    (("within", "sync", "warp > 0"), "barrier-divergence", "sync"),
    (("edit", "loop", "5", "4"), "wrong-result", ""),
]
