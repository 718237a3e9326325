from numba import cuda


@cuda.jit
def scale(factor, values, out):
    i = cuda.grid(1)
