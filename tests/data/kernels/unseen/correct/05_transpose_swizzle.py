"""Transpose of int32 16x16 tiles stored with an XOR swizzle instead of padding."""
import numpy as np
from numba import cuda, int32

T = 16


@cuda.jit
def transpose_xor(src, dst):
    tile = cuda.shared.array((T, T), int32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    bx = cuda.blockIdx.x
    by = cuda.blockIdx.y

    tile[ty, tx ^ ty] = src[by * T + ty, bx * T + tx]
    cuda.syncthreads()
    dst[bx * T + ty, by * T + tx] = tile[tx, ty ^ tx]


rng = np.random.default_rng(5)
src = rng.integers(-1000, 1000, (48, 64)).astype(np.int32)
d_src = cuda.to_device(src)
d_dst = cuda.device_array((64, 48), np.int32)
transpose_xor[(64 // T, 48 // T), (T, T)](d_src, d_dst)
assert (d_dst.copy_to_host() == src.T).all()
print("transposed")
