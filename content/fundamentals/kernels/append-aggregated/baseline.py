from numba import cuda


@cuda.jit
def append(x, tail, queue):
    i = cuda.grid(1)
    if i < x.size and x[i] > 0:
        slot = cuda.atomic.add(tail, 0, 1)
        queue[slot] = 1
