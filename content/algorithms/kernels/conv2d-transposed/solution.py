from numba import cuda, float32


@cuda.jit
def spread(x, w, out, stride, padding):
    q, p = cuda.grid(2)
    f = cuda.blockIdx.z
    channels, rows, columns = x.shape
    taps = w.shape[2]
    if p >= out.shape[1] or q >= out.shape[2]:
        return
    # Taps a with p = i * stride + a - padding for some i: every stride-th.
    total = float32(0.0)
    for a in range((p + padding) % stride, taps, stride):
        i = (p + padding - a) // stride
        if 0 <= i < rows:
            for b in range((q + padding) % stride, taps, stride):
                j = (q + padding - b) // stride
                if 0 <= j < columns:
                    for c in range(channels):
                        total += x[c, i, j] * w[c, f, a, b]
    out[f, p, q] = total
