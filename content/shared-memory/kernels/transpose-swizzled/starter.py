from numba import cuda, float32

TILE = 32


@cuda.jit
def transpose(image, out):
    tile = cuda.shared.array(0, float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x = cuda.blockIdx.x * TILE + tx
    y = cuda.blockIdx.y * TILE + ty
