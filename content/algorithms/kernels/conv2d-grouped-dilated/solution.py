from numba import cuda, float32

MOST = 9 * 64


@cuda.jit
def convolve(x, w, out, dilation):
    part = cuda.shared.array(MOST, float32)
    q, p = cuda.grid(2)
    f = cuda.blockIdx.z
    filters, depth = w.shape[0], w.shape[1]
    channels, rows, columns = x.shape
    for k in range(cuda.threadIdx.y * 32 + cuda.threadIdx.x, 9 * depth, 256):
        part[k] = w[f, k // 9, k % 9 // 3, k % 3]
    cuda.syncthreads()
    if p >= rows or q >= columns:
        return
    first = f // (filters // (channels // depth)) * depth  # channel of this filter's group
    total = float32(0.0)
    for c in range(depth):
        for a in range(3):
            i = p + (a - 1) * dilation
            for b in range(3):
                j = q + (b - 1) * dilation
                if 0 <= i < rows and 0 <= j < columns:
                    total += x[first + c, i, j] * part[9 * c + 3 * a + b]
    out[f, p, q] = total
