from numba import cuda


@cuda.jit
def rope(x, positions, cosines, sines):
    heads, half = x.shape[1], cosines.shape[1]
    t = cuda.blockIdx.x
