from numba import cuda


@cuda.jit
def scale(factor, values, out):
    n = values.size
    threads = cuda.gridsize(1)
    part = (n + threads - 1) // threads
    start = cuda.grid(1) * part
    for i in range(start, min(start + part, n)):
        out[i] = factor * values[i]
