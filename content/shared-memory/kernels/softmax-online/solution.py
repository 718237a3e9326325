import math

from numba import cuda, float32

THREADS = 256
LOWEST = -3.0e38


@cuda.jit
def softmax(x, out):
    tops = cuda.shared.array(THREADS, float32)
    sums = cuda.shared.array(THREADS, float32)
    columns = x.shape[1]
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    top = float32(LOWEST)
    total = float32(0.0)
    for c in range(t, columns, THREADS):
        v = x[r, c]
        if v > top:
            total *= math.exp(top - v)
            top = v
        total += math.exp(v - top)
    tops[t] = top
    sums[t] = total
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            a = tops[t]
            b = tops[t + half]
            top = max(a, b)
            sums[t] = sums[t] * math.exp(a - top) + sums[t + half] * math.exp(b - top)
            tops[t] = top
        cuda.syncthreads()
        half //= 2
    top = tops[0]
    scale = float32(1.0) / sums[0]
    for c in range(t, columns, THREADS):
        out[r, c] = math.exp(x[r, c] - top) * scale
