import numpy as np
from numba import cuda

ALL = 0xFFFFFFFF


@cuda.jit
def append(x, tail, queue):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    lane = cuda.threadIdx.x & 31
    keep = np.int32(0)
    if i < x.size:
        if x[i] > 0:
            keep = np.int32(1)
    place = keep
    for d in (1, 2, 4, 8, 16):
        below = cuda.shfl_up_sync(ALL, place, d)
        if lane >= d:
            place = np.int32(place + below)
    start = np.int32(0)
    if lane == 31 and place > 0:
        start = np.int32(cuda.atomic.add(tail, 0, place))
    start = cuda.shfl_sync(ALL, start, 31)
    if keep:
        queue[start + place - 1] = 1
