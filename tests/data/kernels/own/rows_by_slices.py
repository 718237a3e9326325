"""A device function sums a row it gets as a slice of a shared matrix; another sorts two elements."""
import numpy as np
from numba import cuda, int32

R, C = 8, 16
PITCH = C + 1


@cuda.jit(device=True)
def total(row):
    result = 0
    for k in range(row.shape[0]):  # @loop
        result += row[k]  # @sum
    return result


@cuda.jit
def kernel(a, out):
    s = cuda.shared.array((R, PITCH), int32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    s[y, x] = a[cuda.blockIdx.x, y, x]  # @fill
    cuda.syncthreads()  # @sync
    if x == 0:  # @lead
        out[cuda.blockIdx.x, y] = total(s[y, :C])  # @use


def case(random):
    a = random.integers(-9, 9, (3, R, C)).astype(np.int32)
    return {
        "grid": 3, "block": (C, R),
        "arguments": {"a": a, "out": np.zeros((3, R), np.int32)},
        "right": {"out": a.sum(axis=2).astype(np.int32)},
    }


FAULTS = [
    (("drop", "sync"), "race", "fill sum use"),
    (("edit", "use", "s[y, :C]", "s[y]"), "uninitialised-read", "sum use"),
    (("further", "loop"), "out-of-bounds", "sum loop"),
    (("edit", "use", "s[y, :C]", "s[y + 1, :C]"), "out-of-bounds", "use sum"),
    (("edit", "fill", "s[y, x]", "s[y, x // 2]"), "race uninitialised-read", "fill sum"),
    (("edit", "use", "out[cuda.blockIdx.x, y]", "out[0, y]"), "global-race never-written", "use def"),
    (("edit", "sync", "cuda.syncthreads()", "cuda.syncwarp()"), "equivalent", "two rows to a warp: a row is read by the warp that wrote it"),
]
