"""Tree sum of a block, strides growing, every other thread idle."""
import numpy as np
from numba import cuda, float32

B = 128


@cuda.jit
def kernel(a, out):
    s = cuda.shared.array(B, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = a[i] if i < a.size else float32(0)  # @fill
    cuda.syncthreads()  # @sync
    d = 1
    while d < B:  # @loop
        if t % (2 * d) == 0:  # @who
            s[t] += s[t + d]  # @add
        cuda.syncthreads()  # @step
        d *= 2
    if t == 0:
        out[cuda.blockIdx.x] = s[0]  # @store


def case(random):
    a = random.random(1000, dtype=np.float32)
    sums = np.array([a[k : k + B].sum() for k in range(0, 1000, B)], np.float32)
    return {
        "grid": 8, "block": B,
        "arguments": {"a": a, "out": np.zeros(8, np.float32)},
        "right": {"out": sums}, "tolerance": 1e-5,
    }


FAULTS = [
    (("drop", "sync"), "race", "fill add"),
    (("drop", "step"), "race", "add store"),
    (("always", "who"), "race out-of-bounds", "add who"),
    (("drop", "fill"), "uninitialised-read", "add store fill"),
    (("edit", "who", "2 * d", "d"), "race out-of-bounds", "add who"),
    (("edit", "fill", "a[i] if i < a.size else float32(0)", "a[i]"), "out-of-bounds", "fill"),
    (("edit", "step", "cuda.syncthreads()", "cuda.syncwarp()"), "race", "add store"),
    (("drop", "store"), "never-written", "def"),
    (("edit", "loop", "d < B", "d < 2 * B"), "out-of-bounds", "add loop"),
]
