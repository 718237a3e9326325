"""The first warp loads the next tile while the second works on the present one."""
import numpy as np
from numba import cuda, float32

W = 32


@cuda.jit
def kernel(a, out):
    s = cuda.shared.array((2, W), float32)
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    tiles = a.size // W
    if warp == 0:
        s[0, lane] = a[lane]  # @first
    cuda.syncthreads()  # @sync
    for tile in range(tiles):
        if warp == 0:  # @load
            if tile + 1 < tiles:  # @more
                s[(tile + 1) % 2, lane] = a[(tile + 1) * W + lane]  # @fill
        else:
            out[tile * W + lane] = s[tile % 2, 31 - lane] * float32(2)  # @work
        cuda.syncthreads()  # @step


def case(random):
    a = random.random(7 * W, dtype=np.float32)
    return {
        "grid": 1, "block": 64,
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": 2 * a.reshape(7, W)[:, ::-1].reshape(-1)},
    }


FAULTS = [
    (("drop", "sync"), "race", "first work"),
    (("drop", "step"), "race", "fill work"),
    (("edit", "fill", "(tile + 1) % 2", "tile % 2"), "race", "fill work"),
    (("always", "more"), "out-of-bounds", "fill more"),
    (("within", "step", "warp == 0"), "barrier-divergence", "step"),
    (("edit", "step", "cuda.syncthreads()", "cuda.syncwarp()"), "race", "fill work"),
    (("edit", "work", "out[tile * W + lane]", "out[tile + lane]"), "never-written", "def"),
    (("drop", "first"), "uninitialised-read", "work first"),
]
