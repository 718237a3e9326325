from numba import cuda, int32

BINS = 256


@cuda.jit
def histogram(data, bins):
    counts = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
