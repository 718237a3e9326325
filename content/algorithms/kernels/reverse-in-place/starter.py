from numba import cuda


@cuda.jit
def reverse(a):
    n = a.size
    start = cuda.grid(1)
