import math

from numba import cuda, float32

THREADS = 256


@cuda.jit
def group_norm(x, weight, bias, groups, eps, out):
    pixels = x.shape[2]
    size = x.shape[1] // groups
    g = cuda.blockIdx.x
    b = cuda.blockIdx.y
    t = cuda.threadIdx.x
