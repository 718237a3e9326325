from numba import cuda

TILE = 32


@cuda.jit
def transpose(image, out):
    rows, columns = image.shape
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
