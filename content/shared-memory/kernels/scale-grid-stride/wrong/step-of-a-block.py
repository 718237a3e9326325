from numba import cuda


@cuda.jit
def scale(factor, values, out):
    start = cuda.grid(1)
    step = cuda.blockDim.x
    for i in range(start, values.size, step):
        out[i] = factor * values[i]
