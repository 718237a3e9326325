from numba import cuda

TAPS = 4


@cuda.jit
def conv(x, weight, bias, y):
    c = cuda.blockIdx.x
    b = cuda.blockIdx.y
