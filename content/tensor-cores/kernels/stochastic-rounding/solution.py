import numpy as np
from numba import cuda


@cuda.jit
def round_stochastic(x, r, out):
    first = cuda.blockIdx.x * 1024 + cuda.threadIdx.x
    for step in range(4):
        i = first + 256 * step
        if i < out.size:
            bits = np.int64(x[i])
            is_nan = bits & 0x7FFFFFFF > 0x7F800000
            out[i] = 0x7FFF if is_nan else (bits + r[i]) >> 16
