import math

from numba import cuda, float32

ALL = 0xFFFFFFFF


@cuda.jit
def attention(q, k, v, scale, slope, window, sinks, out):
    lane = cuda.threadIdx.x
    i = cuda.blockIdx.x * 4 + cuda.threadIdx.y
    n, dim = q.shape
    if i >= n:
        return
