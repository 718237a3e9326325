from numba import cuda, float32


@cuda.jit
def spread(x, w, out, stride, padding):
    q, p = cuda.grid(2)
    f = cuda.blockIdx.z
    channels, rows, columns = x.shape
    taps = w.shape[2]
    if p >= out.shape[1] or q >= out.shape[2]:
        return
    # Every tap is tried.
    total = float32(0.0)
    for a in range(taps):
        i = (p + padding - a) // stride
        if (p + padding - a) % stride == 0 and 0 <= i < rows:
            for b in range(taps):
                j = (q + padding - b) // stride
                if (q + padding - b) % stride == 0 and 0 <= j < columns:
                    for c in range(channels):
                        total += x[c, i, j] * w[c, f, a, b]
    out[f, p, q] = total
