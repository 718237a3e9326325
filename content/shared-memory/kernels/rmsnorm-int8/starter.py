import math

from numba import cuda, float32, int8

THREADS = 256
LONGEST = 2048


@cuda.jit
def rmsnorm(x, w, eps, q, scale):
    row = cuda.shared.array(LONGEST, float32)
    columns = x.shape[1]
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    # y = x / rms · w; scale = max|y| / 127; q = round(y / scale)
