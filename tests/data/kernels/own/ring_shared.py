"""The same ring by shared memory in each warp, with syncwarp."""
import numpy as np
from numba import cuda, int32

B = 96


@cuda.jit
def kernel(a, turns, out):
    s = cuda.shared.array(B, int32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    first, lane = t - t % 32, t % 32
    s[t] = a[i]  # @fill
    cuda.syncwarp()  # @ready
    for k in range(turns):
        v = s[first + (lane + 31) % 32]  # @get
        cuda.syncwarp()  # @read
        s[t] = v  # @put
        cuda.syncwarp()  # @wrote
    out[i] = s[t]  # @store


def case(random):
    a = random.integers(0, 1000, 192).astype(np.int32)
    return {
        "grid": 2, "block": B,
        "arguments": {"a": a, "turns": 3, "out": np.zeros_like(a)},
        "right": {"out": np.roll(a.reshape(6, 32), 3, axis=1).reshape(-1)},
    }


FAULTS = [
    (("drop", "ready"), "race", "fill get"),
    (("drop", "read"), "race", "get put"),
    (("drop", "wrote"), "race", "put get"),
    (("edit", "get", "first + (lane + 31) % 32", "(t + B - 1) % B"), "race", "fill get put"),
    (("drop", "fill"), "uninitialised-read", "get fill"),
    (("edit", "get", "(lane + 31) % 32", "lane + 31"), "out-of-bounds race", "get"),
    (("edit", "put", "s[t]", "s[lane]"), "race", "put fill get store"),
    (("edit", "store", "s[t]", "s[i]"), "out-of-bounds", "store"),
]
