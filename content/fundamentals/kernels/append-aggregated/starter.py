from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit
def append(x, tail, queue):
    i = cuda.grid(1)
    lane = cuda.laneid
    keep = i < x.size and x[i] > 0
