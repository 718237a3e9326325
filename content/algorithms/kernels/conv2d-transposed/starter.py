from numba import cuda, float32


@cuda.jit
def spread(x, w, out, stride, padding):
    q, p = cuda.grid(2)
    f = cuda.blockIdx.z
    channels, rows, columns = x.shape
    taps = w.shape[2]
