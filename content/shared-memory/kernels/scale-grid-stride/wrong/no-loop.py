from numba import cuda


@cuda.jit
def scale(factor, values, out):
    i = cuda.grid(1)
    if i < values.size:
        out[i] = factor * values[i]
