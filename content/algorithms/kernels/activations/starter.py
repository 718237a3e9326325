from numba import cuda


@cuda.jit
def activate(x, op, a, b, out):
    start = cuda.grid(1)
