import math

from numba import cuda, float32, int32

ALL = 0xFFFFFFFF


@cuda.jit
def gate(logits, places, weights):
    lane = cuda.threadIdx.x
    token = cuda.blockIdx.x * 4 + cuda.threadIdx.y
    if token >= logits.shape[0]:
        return
