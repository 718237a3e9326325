from numba import cuda, float32

TILE = 16
WIDTH = TILE + 2


@cuda.jit
def convolve(image, w, out):
    s = cuda.shared.array((WIDTH, WIDTH), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
