from numba import cuda, float32


@cuda.jit
def spread(x, w, out, stride, padding):
    # The inputs that reach an output are a rectangle; the tap follows from the input.
    q, p, f = cuda.grid(3)
    if p < out.shape[1] and q < out.shape[2]:
        taps = w.shape[3]
        y, z = p + padding, q + padding
        sum_ = float32(0.0)
        for i in range(max(0, (y - taps) // stride + 1), min(x.shape[1] - 1, y // stride) + 1):
            for j in range(max(0, (z - taps) // stride + 1), min(x.shape[2] - 1, z // stride) + 1):
                for c in range(x.shape[0]):
                    sum_ += w[c, f, y - i * stride, z - j * stride] * x[c, i, j]
        out[f, p, q] = sum_
