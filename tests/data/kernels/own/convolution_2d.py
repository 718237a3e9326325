"""A 3×3 filter on a tile whose halo every thread helps to load, in a loop over the tile."""
import numpy as np
from numba import cuda, float32

F = np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]], np.float32)
T = 8
S = T + 2


@cuda.jit
def kernel(a, out):
    s = cuda.shared.array((S, S), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    left, top = cuda.blockIdx.x * T - 1, cuda.blockIdx.y * T - 1
    for k in range(ty * T + tx, S * S, T * T):  # @loop
        y, x = top + k // S, left + k % S  # @split
        inside = 0 <= y < a.shape[0] and 0 <= x < a.shape[1]  # @inside
        s[k // S, k % S] = a[y, x] if inside else float32(0)  # @fill
    cuda.syncthreads()  # @sync
    x, y = cuda.grid(2)
    if x < out.shape[1] and y < out.shape[0]:  # @guard
        total = float32(0)
        for dy in range(3):  # @down
            for dx in range(3):
                total += F[dy, dx] * s[ty + dy, tx + dx]  # @read
        out[y, x] = total  # @store


def case(random):
    a = random.random((21, 30), dtype=np.float32)
    wide = np.pad(a, 1)
    right = sum(F[i, j] * wide[i : i + 21, j : j + 30] for i in range(3) for j in range(3))
    return {
        "grid": (4, 3), "block": (T, T),
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": right}, "tolerance": 1e-4,
    }


FAULTS = [
    (("drop", "sync"), "race", "fill read"),
    (("edit", "loop", "S * S", "S * T"), "uninitialised-read", "read loop"),
    (("edit", "loop", "S * S", "S * S + 1"), "out-of-bounds", "fill loop"),
    (("edit", "loop", "T * T)", "2 * T * T)"), "uninitialised-read", "read loop"),
    (("edit", "inside", " and 0 <= x < a.shape[1]", ""), "out-of-bounds", "fill inside"),
    (("edit", "inside", "y < a.shape[0]", "y <= a.shape[0]"), "out-of-bounds", "fill inside"),
    (("edit", "split", "k // S, left + k % S", "k // T, left + k % T"), "wrong-result", ""),
    (("further", "down"), "out-of-bounds", "read down"),
    (("edit", "fill", "s[k // S, k % S]", "s[k // S, k // S]"), "race uninitialised-read", "fill read"),
    (("edit", "sync", "cuda.syncthreads()", "cuda.syncwarp()"), "race", "fill read"),
]
