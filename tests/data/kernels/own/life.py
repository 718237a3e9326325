"""A step of the game of life on a torus, with a tile and a halo that goes round."""
import numpy as np
from numba import cuda, uint8

T = 8
S = T + 2


@cuda.jit
def kernel(a, out):
    s = cuda.shared.array((S, S), uint8)
    rows, columns = a.shape
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.grid(2)
    for dy in range(ty, S, T):  # @down
        for dx in range(tx, S, T):  # @across
            cy = (cuda.blockIdx.y * T + dy - 1 + rows) % rows  # @wrap
            s[dy, dx] = a[cy, (cuda.blockIdx.x * T + dx - 1 + columns) % columns]  # @fill
    cuda.syncthreads()  # @sync
    if x < columns and y < rows:  # @guard
        alive = 0
        for dy in range(3):
            for dx in range(3):
                alive += s[ty + dy, tx + dx]  # @read
        alive -= s[ty + 1, tx + 1]  # @self
        out[y, x] = 1 if alive == 3 or (alive == 2 and s[ty + 1, tx + 1] == 1) else 0  # @store


def case(random):
    a = random.integers(0, 2, (21, 27)).astype(np.uint8)
    around = sum(np.roll(a, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) - a
    return {
        "grid": (4, 3), "block": (T, T),
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": ((around == 3) | ((around == 2) & (a == 1))).astype(np.uint8)},
    }


FAULTS = [
    (("drop", "sync"), "race", "fill read self store"),
    (("edit", "down", "S, T", "S - 1, T"), "uninitialised-read", "read down"),
    (("edit", "across", "range(tx, S, T)", "range(tx, T, T)"), "uninitialised-read", "read across self store"),
    (("edit", "down", "S, T", "S + 1, T"), "out-of-bounds", "fill down"),
    (("always", "guard"), "out-of-bounds", "store guard"),
    (("edit", "wrap", " % rows", ""), "out-of-bounds", "fill wrap"),
    (("edit", "store", "out[y, x] =", "out[ty, tx] ="), "global-race never-written", "store def"),
    (("within", "sync", "y < rows"), "barrier-divergence", "sync"),
]
