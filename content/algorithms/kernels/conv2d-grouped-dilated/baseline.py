from numba import cuda, float32


@cuda.jit
def convolve(x, w, out, dilation):
    # Weights from global memory, for each product.
    q, p = cuda.grid(2)
    f = cuda.blockIdx.z
    filters, depth = w.shape[0], w.shape[1]
    channels, rows, columns = x.shape
    if p >= rows or q >= columns:
        return
    first = f // (filters // (channels // depth)) * depth
    total = float32(0.0)
    for c in range(depth):
        for a in range(3):
            i = p + (a - 1) * dilation
            for b in range(3):
                j = q + (b - 1) * dilation
                if 0 <= i < rows and 0 <= j < columns:
                    total += x[first + c, i, j] * w[f, c, a, b]
    out[f, p, q] = total
