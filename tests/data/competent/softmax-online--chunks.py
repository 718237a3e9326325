import math

from numba import cuda, float32

N = 256


@cuda.jit
def softmax(x, out):
    """Four elements at a time, one rescaling for all four; the maximum is reduced before the sum."""
    s = cuda.shared.array(N, float32)
    four = cuda.local.array(4, float32)
    columns = x.shape[1]
    row = cuda.blockIdx.x
    t = cuda.threadIdx.x
    m = float32(-3.4e38)
    l = float32(0.0)
    for start in range(0, columns, 4 * N):
        new = m
        for i in range(4):
            c = start + i * N + t
            four[i] = x[row, c] if c < columns else float32(-3.4e38)
            new = max(new, four[i])
        l *= math.exp(m - new)
        for i in range(4):
            if start + i * N + t < columns:
                l += math.exp(four[i] - new)
        m = new
    s[t] = m
    cuda.syncthreads()
    d = N // 2
    while d:
        if t < d:
            s[t] = max(s[t], s[t + d])
        cuda.syncthreads()
        d >>= 1
    top = s[0]
    cuda.syncthreads()
    s[t] = l * math.exp(m - top)
    cuda.syncthreads()
    d = N // 2
    while d:
        if t < d:
            s[t] += s[t + d]
        cuda.syncthreads()
        d >>= 1
    inverse = float32(1.0) / s[0]
    for c in range(t, columns, N):
        out[row, c] = math.exp(x[row, c] - top) * inverse
