"""Five-point stencil on a tile with a halo; the border keeps its values."""
import numpy as np
from numba import cuda, float32

T = 16
S = T + 2


@cuda.jit
def kernel(a, out):
    s = cuda.shared.array((S, S), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.grid(2)
    rows, columns = a.shape
    inside = x < columns and y < rows
    if inside:  # @in
        s[ty + 1, tx + 1] = a[y, x]  # @fill
        if ty == 0 and y > 0:
            s[0, tx + 1] = a[y - 1, x]  # @above
        if ty == T - 1 and y + 1 < rows:  # @bottom
            s[T + 1, tx + 1] = a[y + 1, x]  # @below
        if tx == 0 and x > 0:
            s[ty + 1, 0] = a[y, x - 1]  # @left
        if tx == T - 1 and x + 1 < columns:
            s[ty + 1, T + 1] = a[y, x + 1]  # @right
    cuda.syncthreads()  # @sync
    if 0 < x < columns - 1 and 0 < y < rows - 1:  # @inner
        around = s[ty, tx + 1] + s[ty + 2, tx + 1] + s[ty + 1, tx] + s[ty + 1, tx + 2]  # @read
        out[y, x] = around - float32(4) * s[ty + 1, tx + 1]  # @store
    elif inside:
        out[y, x] = a[y, x]  # @border


def case(random):
    a = random.random((39, 45), dtype=np.float32)
    right = a.copy()
    right[1:-1, 1:-1] = a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] - 4 * a[1:-1, 1:-1]
    return {
        "grid": (3, 3), "block": (T, T),
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": right}, "tolerance": 1e-4,
    }


FAULTS = [
    (("drop", "sync"), "race", "fill above below left right read"),
    (("drop", "above"), "uninitialised-read", "read above"),
    (("drop", "right"), "uninitialised-read", "read right"),
    (("edit", "bottom", " and y + 1 < rows", ""), "equivalent", "39 rows: the last row of a tile is never the last of the array, and the row below is there"),
    (("drop", "border"), "never-written", "def"),
    (("always", "in"), "out-of-bounds", "fill below right border in"),
    (("always", "inner"), "out-of-bounds uninitialised-read", "read store inner"),
    (("edit", "above", "s[0, tx + 1]", "s[0, tx]"), "uninitialised-read", "read above"),
    (("edit", "below", "a[y + 1, x]", "a[y + 1, x + 1]"), "out-of-bounds", "below"),
    (("edit", "inner", "0 < x < columns - 1", "0 <= x < columns - 1"), "uninitialised-read", "read inner"),
]
