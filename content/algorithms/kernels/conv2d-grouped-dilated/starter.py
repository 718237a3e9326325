from numba import cuda, float32

MOST = 9 * 64


@cuda.jit
def convolve(x, w, out, dilation):
    q, p = cuda.grid(2)
    f = cuda.blockIdx.z
    filters, depth = w.shape[0], w.shape[1]
    channels, rows, columns = x.shape
