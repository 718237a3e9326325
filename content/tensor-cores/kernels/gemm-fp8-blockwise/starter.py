import numpy as np
from numba import cuda, float32
from numba.cuda import libdevice

TILE = 32
ROWS = 8


@cuda.jit
def matmul(a, a_scales, b, b_scales, c):
    m, blocks = a_scales.shape
    n = b.shape[0]
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    top = cuda.blockIdx.y * TILE
    left = cuda.blockIdx.x * TILE
