from numba import cuda

TILE = 32


@cuda.jit
def transpose(image, out):
    x = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    y = cuda.blockIdx.y * TILE + cuda.threadIdx.y
    for j in range(0, TILE, 8):
        if y + j < image.shape[0] and x < image.shape[1]:
            out[x, y + j] = image[y + j, x]
