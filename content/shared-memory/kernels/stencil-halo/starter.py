from numba import cuda, float32

SIZE = 256
RADIUS = 4
WIDTH = SIZE + 2 * RADIUS


@cuda.jit
def stencil(a, out):
    s = cuda.shared.array(WIDTH, float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * SIZE + t
