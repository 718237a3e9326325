from numba import cuda, float64

TILE = 16


@cuda.jit
def transpose(image, out):
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x = cuda.blockIdx.x * TILE + tx
    y = cuda.blockIdx.y * TILE + ty
