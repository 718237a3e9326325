"""The kernel wants one thread for each element of a 48x48 tile: 2304 threads a block where 1024 are allowed."""
import numpy as np
from numba import cuda, float32

TILE = 48


@cuda.jit
def transpose48(src, dst):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x0 = cuda.blockIdx.x * TILE
    y0 = cuda.blockIdx.y * TILE
    if y0 + ty < src.shape[0] and x0 + tx < src.shape[1]:
        tile[ty, tx] = src[y0 + ty, x0 + tx]
    cuda.syncthreads()
    if x0 + ty < dst.shape[0] and y0 + tx < dst.shape[1]:
        dst[x0 + ty, y0 + tx] = tile[tx, ty]


a = np.random.default_rng(129).random((96, 60)).astype(np.float32)
d_dst = cuda.device_array((60, 96), dtype=np.float32)
transpose48[(2, 2), (TILE, TILE)](cuda.to_device(a), d_dst)  # EXPECT: resources
np.testing.assert_array_equal(d_dst.copy_to_host(), a.T)
print("ok")
