import numpy as np
from numba import cuda, float32


@cuda.jit
def dequantize(codes, scales, out):
    t = cuda.blockIdx.x * 256 + cuda.threadIdx.x
