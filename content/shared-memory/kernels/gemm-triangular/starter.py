from numba import cuda, float32

TILE = 32


@cuda.jit
def matmul(a, b, c):
    n = a.shape[0]
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    row = cuda.blockIdx.y * TILE + ty
    column = cuda.blockIdx.x * TILE + tx
