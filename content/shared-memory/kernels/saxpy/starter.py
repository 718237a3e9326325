from numba import cuda


@cuda.jit
def saxpy(a, x, y):
    i = cuda.grid(1)
