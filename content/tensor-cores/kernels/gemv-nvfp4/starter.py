import numpy as np
from numba import cuda, float32
from numba.cuda import libdevice

ALL = 0xFFFFFFFF


@cuda.jit
def gemv(w, w_scales, x, x_scales, y):
    rows, words = w.shape
    lane = cuda.threadIdx.x
    r = cuda.blockIdx.x * 8 + cuda.threadIdx.y
