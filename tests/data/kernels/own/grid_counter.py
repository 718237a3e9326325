"""Smoothing steps over all blocks, which meet by a counter of their own instead of a grid barrier."""
import numpy as np
from numba import cuda

STEPS, B = 3, 64


@cuda.jit(device=True)
def meet(count, goal):
    cuda.syncthreads()  # @before
    if cuda.threadIdx.x == 0:
        cuda.threadfence()  # @fence
        cuda.atomic.add(count, 0, 1)  # @arrive
        while cuda.atomic.add(count, 0, 0) < goal:  # @wait
            pass
    cuda.syncthreads()  # @after


@cuda.jit
def kernel(u, v, count):
    i, n = cuda.grid(1), u.size
    for step in range(STEPS):
        v[i] = (u[i] + u[(i + 1) % n]) * 0.5  # @there
        meet(count, (2 * step + 1) * cuda.gridDim.x)  # @one
        u[i] = (v[i] + v[(i + 1) % n]) * 0.5  # @back
        meet(count, (2 * step + 2) * cuda.gridDim.x)  # @two


def case(random):
    u = random.random(4 * B)
    right = u.copy()
    for _ in range(2 * STEPS):
        right = (right + np.roll(right, -1)) * 0.5
    return {
        "grid": 4, "block": B,
        "arguments": {"u": u.copy(), "v": np.zeros_like(u), "count": np.zeros(1, np.int64)},
        "right": {"u": right}, "tolerance": 1e-12,
    }


FAULTS = [
    (("drop", "one"), "global-race", "there back"),
    (("drop", "two"), "global-race", "there back"),
    (("drop", "before"), "global-race", "there back"),
    (("drop", "after"), "global-race", "there back"),
    (("drop", "fence"), "global-race", "there back"),
    (("edit", "wait", "< goal", "< 0"), "global-race", "there back"),
    (("plain", "arrive"), "global-race", "arrive wait"),
    (("drop", "arrive"), "no-progress", "wait"),
    (("edit", "back", "u[i] =", "u[i // 2] ="), "global-race", "back there"),
]
