from numba import cuda, float32

T = 16


@cuda.jit
def convolve(x, w, out, stride):
    channels, rows, columns = x.shape
    filters, height, width = out.shape
    pixel = cuda.blockIdx.x * T + cuda.threadIdx.x
    f = cuda.blockIdx.y * T + cuda.threadIdx.y
    if f >= filters or pixel >= height * width:
        return
    top = pixel // width * stride - 1
    left = pixel % width * stride - 1
    s = float32(0.0)
    for k in range(9 * channels):
        i = top + k % 9 // 3
        j = left + k % 3
        if 0 <= i < rows and 0 <= j < columns:
            s += w[f, k] * x[k // 9, i, j]
    out[f, pixel // width, pixel % width] = s
