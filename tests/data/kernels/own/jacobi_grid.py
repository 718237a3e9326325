"""Jacobi steps on a line, the whole grid meeting between them; two arrays in turn."""
import numpy as np
from numba import cuda

STEPS = 6


@cuda.jit
def kernel(u, v):
    grid = cuda.cg.this_grid()
    i = cuda.grid(1)
    for step in range(STEPS):
        if 0 < i < u.size - 1:  # @guard
            if step % 2 == 0:
                v[i] = (u[i - 1] + u[i + 1]) * 0.5  # @there
            else:
                u[i] = (v[i - 1] + v[i + 1]) * 0.5  # @back
        grid.sync()  # @sync


def case(random):
    u = random.random(200)
    right, other = u.copy(), u.copy()
    for step in range(STEPS):
        one, two = (right, other) if step % 2 == 0 else (other, right)
        two[1:-1] = (one[:-2] + one[2:]) * 0.5
    return {
        "grid": 4, "block": 64,
        "arguments": {"u": u.copy(), "v": u.copy()},
        "right": {"u": right, "v": other}, "outputs": [], "tolerance": 1e-12,
    }


FAULTS = [
    (("drop", "sync"), "global-race", "there back"),
    (("edit", "sync", "grid.sync()", "cuda.syncthreads()"), "global-race", "there back"),
    (("edit", "guard", "0 < i < u.size - 1", "0 < i < u.size"), "out-of-bounds", "there back guard"),
    (("edit", "there", "v[i] =", "u[i] ="), "global-race", "there"),
    (("edit", "sync", "grid.sync()", "cuda.threadfence()"), "global-race", "there back"),
    (("within", "sync", "i < u.size - 1"), "barrier-divergence", "sync"),
    (("always", "guard"), "out-of-bounds", "there back guard"),
]
