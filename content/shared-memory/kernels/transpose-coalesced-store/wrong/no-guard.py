from numba import cuda

TILE = 32


@cuda.jit
def transpose(image, out):
    rows, columns = image.shape
    x = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    y = cuda.blockIdx.y * TILE + cuda.threadIdx.y
    for j in range(0, TILE, 8):
        out[y + j, x] = image[x, y + j]
