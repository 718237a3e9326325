import numpy as np
from numba import cuda


@cuda.jit
def round_stochastic(x, r, out):
    first = cuda.blockIdx.x * 1024 + cuda.threadIdx.x
