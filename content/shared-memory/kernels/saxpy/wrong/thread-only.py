from numba import cuda


@cuda.jit
def saxpy(a, x, y):
    i = cuda.threadIdx.x
    if i < x.size:
        y[i] = a * x[i] + y[i]
