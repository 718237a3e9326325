import math

from numba import cuda, float32

THREADS = 256


@cuda.jit
def softmax(x, out):
    part = cuda.shared.array(THREADS, float32)
    columns = x.shape[1]
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    top = float32(-math.inf)
    for c in range(t, columns, THREADS):
        top = max(top, x[r, c])
    part[t] = top
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            part[t] = max(part[t], part[t + half])
        cuda.syncthreads()
        half //= 2
    top = part[0]
    cuda.syncthreads()
    total = float32(0.0)
    for c in range(t, columns, THREADS):
        total += math.exp(x[r, c] - top)
    part[t] = total
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            part[t] += part[t + half]
        cuda.syncthreads()
        half //= 2
    scale = float32(1.0) / part[0]
    for c in range(t, columns, THREADS):
        out[r, c] = math.exp(x[r, c] - top) * scale
