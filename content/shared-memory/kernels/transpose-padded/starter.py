from numba import cuda, float32

TILE = 32


@cuda.jit
def transpose(image, out):
    x = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    y = cuda.blockIdx.y * TILE + cuda.threadIdx.y
