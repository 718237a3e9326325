"""A running transform over tiles, with two shared buffers in turn: one barrier a tile."""
import numpy as np
from numba import cuda, float32

B = 64


@cuda.jit
def kernel(a, out):
    s = cuda.shared.array((2, B), float32)
    t = cuda.threadIdx.x
    for tile in range(a.size // B):
        now = tile & 1  # @now
        s[now, t] = a[tile * B + t]  # @fill
        cuda.syncthreads()  # @sync
        out[tile * B + t] = s[now, B - 1 - t]  # @read


def case(random):
    a = random.random(6 * B, dtype=np.float32)
    return {
        "grid": 1, "block": B,
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": a.reshape(6, B)[:, ::-1].reshape(-1)},
    }


FAULTS = [
    (("drop", "sync"), "race", "fill read"),
    (("edit", "now", "tile & 1", "0"), "race", "fill read now"),
    (("edit", "read", "s[now, B - 1 - t]", "s[1 - now, B - 1 - t]"), "race uninitialised-read", "fill read"),
    (("edit", "read", "B - 1 - t", "B - t"), "out-of-bounds", "read"),
    (("edit", "now", "tile & 1", "tile"), "out-of-bounds", "fill read now"),
    (("edit", "sync", "cuda.syncthreads()", "cuda.syncwarp()"), "race", "fill read"),
    (("edit", "read", "out[tile * B + t]", "out[tile + t]"), "never-written", "def"),
]
