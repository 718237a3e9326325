from numba import cuda


@cuda.jit
def recolor(image, mode, out):
    x, y = cuda.grid(2)
