"""Matrix transpose through a 32x33 shared tile, 32x8 threads, rows and columns not multiples of 32."""
import numpy as np
from numba import cuda, float32

TILE = 32
ROWS = 8
PITCH = TILE + 1  # one column of padding: no bank conflicts


@cuda.jit
def transpose(src, dst):
    tile = cuda.shared.array((TILE, PITCH), dtype=float32)
    h, w = src.shape

    x = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    y = cuda.blockIdx.y * TILE + cuda.threadIdx.y
    for j in range(0, TILE, ROWS):
        if x < w and y + j < h:
            tile[cuda.threadIdx.y + j, cuda.threadIdx.x] = src[y + j, x]

    cuda.syncthreads()

    x = cuda.blockIdx.y * TILE + cuda.threadIdx.x
    y = cuda.blockIdx.x * TILE + cuda.threadIdx.y
    for j in range(0, TILE, ROWS):
        if x < h and y + j < w:
            dst[y + j, x] = tile[cuda.threadIdx.x, cuda.threadIdx.y + j]


def main():
    rng = np.random.default_rng(4)
    a = rng.random((75, 53)).astype(np.float32)
    d_out = cuda.device_array((53, 75), dtype=np.float32)
    grid = ((a.shape[1] + TILE - 1) // TILE, (a.shape[0] + TILE - 1) // TILE)
    transpose[grid, (TILE, ROWS)](cuda.to_device(a), d_out)
    np.testing.assert_array_equal(d_out.copy_to_host(), a.T)


main()
