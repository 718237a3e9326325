import math

from numba import cuda, float32

THREADS = 128
LONGEST = 1024


@cuda.jit
def layer_norm(x, weight, bias, eps, out):
    row = cuda.shared.array(LONGEST, float32)
    columns = x.shape[1]
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
