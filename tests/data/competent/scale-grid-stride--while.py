from numba import cuda


@cuda.jit
def scale(factor, values, out):
    i = cuda.grid(1)
    while i < out.size:
        out[i] = values[i] * factor
        i += cuda.gridsize(1)
