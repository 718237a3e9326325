import math

from numba import cuda, float32, int8

THREADS = 256


@cuda.jit
def rmsnorm(x, w, eps, q, scale):
    part = cuda.shared.array(THREADS, float32)
    columns = x.shape[1]
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    total = float32(0.0)
    for c in range(t, columns, THREADS):
        v = float32(x[r, c])
        total += v * v
    part[t] = total
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            part[t] += part[t + half]
        cuda.syncthreads()
        half //= 2
    rms = math.sqrt(part[0] / float32(columns) + eps)
    cuda.syncthreads()
    top = float32(0.0)
    for c in range(t, columns, THREADS):
        top = max(top, abs(float32(x[r, c]) / rms * w[c]))
    part[t] = top
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            part[t] = max(part[t], part[t + half])
        cuda.syncthreads()
        half //= 2
    step = part[0] / float32(127.0)
    if t == 0:
        scale[r] = step
    for c in range(t, columns, THREADS):
        q[r, c] = int8(round(float32(x[r, c]) / rms * w[c] / step))
