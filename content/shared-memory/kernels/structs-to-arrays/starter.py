from numba import cuda

POINTS = 128
MEMBERS = 4


@cuda.jit
def split(points, out):
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * POINTS
