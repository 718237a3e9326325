from numba import cuda, float32

SIZE = 128
STRIP = 32


@cuda.jit
def box(a, out):
    t = cuda.threadIdx.x
    c = cuda.blockIdx.x * SIZE + t
    first = cuda.blockIdx.y * STRIP
    last = min(first + STRIP, a.shape[0])
