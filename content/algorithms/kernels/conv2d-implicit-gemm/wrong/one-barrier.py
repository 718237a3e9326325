from numba import cuda, float32

T = 16


@cuda.jit
def convolve(x, w, out, stride):
    a = cuda.shared.array((T, T), float32)  # filters, terms of the sum
    b = cuda.shared.array((T, T), float32)  # terms of the sum, pixels
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    channels, rows, columns = x.shape
    filters, height, width = out.shape
    terms = 9 * channels
    pixel = cuda.blockIdx.x * T + tx
    f = cuda.blockIdx.y * T + ty
    # The upper left corner of this pixel's window; it may lie in the padding.
    top = pixel // width * stride - 1
    left = pixel % width * stride - 1
    s = float32(0.0)
    for first in range(0, terms, T):
        k = first + tx
        a[ty, tx] = w[f, k] if f < filters and k < terms else float32(0.0)
        k = first + ty
        channel = k // 9
        i = top + k % 9 // 3
        j = left + k % 3
        v = float32(0.0)
        if k < terms and pixel < height * width:
            if 0 <= i < rows and 0 <= j < columns:
                v = x[channel, i, j]
        b[ty, tx] = v
        cuda.syncthreads()
        for t in range(T):
            s += a[ty, t] * b[t, tx]
    if f < filters and pixel < height * width:
        out[f, pixel // width, pixel % width] = s
