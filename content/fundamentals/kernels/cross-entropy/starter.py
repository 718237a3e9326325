import math

from numba import cuda, float32

WARPS = 8
ALL = 0xFFFFFFFF


@cuda.jit
def cross_entropy(logits, labels, loss):
    rows, classes = logits.shape
    lane = cuda.threadIdx.x
    row = cuda.blockIdx.x * WARPS + cuda.threadIdx.y
