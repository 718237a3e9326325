"""Transpose through a tile whose columns are exchanged by xor."""
import numpy as np
from numba import cuda, float32


@cuda.jit
def kernel(a, out):
    tile = cuda.shared.array((32, 32), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    bx, by = cuda.blockIdx.x * 32, cuda.blockIdx.y * 32
    tile[ty, tx ^ ty] = a[by + ty, bx + tx]  # @fill
    cuda.syncthreads()  # @sync
    out[bx + ty, by + tx] = tile[tx, ty ^ tx]  # @read


def case(random):
    a = random.random((96, 64), dtype=np.float32)
    return {
        "grid": (2, 3), "block": (32, 32),
        "arguments": {"a": a, "out": np.zeros((64, 96), np.float32)},
        "right": {"out": a.T},
    }


FAULTS = [
    (("drop", "sync"), "race", "fill read"),
    (("edit", "fill", "tx ^ ty", "tx | ty"), "race uninitialised-read", "fill read"),
    (("edit", "read", "ty ^ tx", "ty + tx"), "out-of-bounds", "read"),
    (("edit", "read", "ty ^ tx", "ty"), "wrong-result", ""),
    (("within", "sync", "ty > 0"), "barrier-divergence", "sync"),
]
