from numba import cuda

TILE = 32


@cuda.jit
def transpose(image, out):
    rows, columns = image.shape
    x = cuda.blockIdx.y * TILE + cuda.threadIdx.x
    y = cuda.blockIdx.x * TILE + cuda.threadIdx.y
    for j in range(0, TILE, 8):
        if y + j < rows and x < columns:
            out[x, y + j] = image[y + j, x]
