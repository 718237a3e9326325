"""Moves particles kept as separate arrays, and counts those that left the box."""
import numpy as np
from numba import cuda, float32


@cuda.jit
def kernel(x, y, vx, vy, dt, out):
    i = cuda.grid(1)
    if i < x.size:  # @guard
        x[i] += vx[i] * dt  # @x
        y[i] += vy[i] * dt  # @y
        if x[i] < float32(0) or x[i] > float32(1) or y[i] < float32(0) or y[i] > float32(1):  # @left
            cuda.atomic.add(out, 0, 1)  # @count


def case(random):
    x, y, vx, vy = random.random((4, 333), dtype=np.float32)
    dt = np.float32(0.25)
    rx, ry = x + vx * dt, y + vy * dt
    return {
        "grid": 6, "block": 64,
        "arguments": {"x": x, "y": y, "vx": vx, "vy": vy, "dt": dt, "out": np.zeros(1, np.int32)},
        "right": {"x": rx, "y": ry, "out": np.array([((rx > 1) | (ry > 1)).sum()])}, "tolerance": 1e-6,
    }


FAULTS = [
    (("always", "guard"), "out-of-bounds", "x y guard"),
    (("plain", "count"), "global-race", "count"),
    (("edit", "x", "x[i] +=", "x[i // 2] +="), "global-race", "x left"),
    (("shift", "y", "vy", 1), "out-of-bounds", "y"),
    (("edit", "guard", "i < x.size", "i < x.size - 1"), "never-written", "def"),
    (("drop", "y"), "never-written", "def"),
]
