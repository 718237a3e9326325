import math

from numba import cuda, float32

THREADS = 256
LONGEST = 1024


@cuda.jit
def softmax(x, out):
    row = cuda.shared.array(LONGEST, float32)
    columns = x.shape[1]
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
