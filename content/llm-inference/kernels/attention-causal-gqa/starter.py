import math

from numba import cuda, float32

ALL = 0xFFFFFFFF


@cuda.jit
def attention(q, k, v, scale, out):
    lane = cuda.threadIdx.x
    i = cuda.blockIdx.x * 4 + cuda.threadIdx.y
    h = cuda.blockIdx.y
    dim = q.shape[2]
    if i >= q.shape[0]:
        return
    group = q.shape[1] // k.shape[1]
