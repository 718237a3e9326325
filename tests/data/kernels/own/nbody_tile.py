"""Forces on a line of bodies: positions in tiles of shared memory."""
import numpy as np
from numba import cuda, float32

B = 32


@cuda.jit
def kernel(x, mass, force):
    sx = cuda.shared.array(B, float32)
    sm = cuda.shared.array(B, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    mine = x[i] if i < x.size else float32(0)  # @mine
    total = float32(0)
    for first in range(0, x.size, B):  # @tiles
        j = first + t
        sx[t] = x[j] if j < x.size else float32(0)  # @fillx
        sm[t] = mass[j] if j < x.size else float32(0)  # @fillm
        cuda.syncthreads()  # @sync
        for k in range(B):  # @loop
            d = sx[k] - mine  # @getx
            total += sm[k] * d / (d * d + float32(0.01))  # @getm
        cuda.syncthreads()  # @again
    if i < x.size:  # @guard
        force[i] = total  # @store


def case(random):
    x, mass = random.random((2, 100), dtype=np.float32)
    d = x[None] - x[:, None]
    return {
        "grid": 4, "block": B,
        "arguments": {"x": x, "mass": mass, "force": np.zeros_like(x)},
        "right": {"force": (mass * d / (d * d + np.float32(0.01))).sum(axis=1)}, "tolerance": 1e-3,
    }


FAULTS = [
    (("drop", "sync"), "race", "fillx fillm getx getm"),
    (("drop", "again"), "race", "fillx fillm getx getm"),
    (("drop", "fillm"), "uninitialised-read", "getm fillm"),
    (("edit", "fillx", "x[j] if j < x.size else float32(0)", "x[j]"), "out-of-bounds", "fillx"),
    (("edit", "mine", "x[i] if i < x.size else float32(0)", "x[i]"), "out-of-bounds", "mine"),
    (("further", "loop"), "out-of-bounds", "getx getm loop"),
    (("always", "guard"), "out-of-bounds", "store guard"),
    (("within", "sync", "i < x.size"), "barrier-divergence", "sync"),
    (("drop", "fillx"), "uninitialised-read", "getx fillx"),
]
