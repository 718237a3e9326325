from numba import cuda


@cuda.jit
def saxpy(a, x, y):
    i = cuda.grid(1)
    if i <= x.size:
        y[i] = a * x[i] + y[i]
