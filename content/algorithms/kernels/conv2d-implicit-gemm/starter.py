from numba import cuda, float32

T = 16


@cuda.jit
def convolve(x, w, out, stride):
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    channels, rows, columns = x.shape
    filters, height, width = out.shape
    pixel = cuda.blockIdx.x * T + tx
    f = cuda.blockIdx.y * T + ty
