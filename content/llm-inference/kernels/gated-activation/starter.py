from numba import cuda


@cuda.jit
def swiglu(x, out):
    width = out.shape[1]
    start = cuda.grid(1)
