import math

from numba import cuda, float32

THREADS = 256
LONGEST = 1024


@cuda.jit
def softmax(x, out):
    row = cuda.shared.array(LONGEST, float32)
    part = cuda.shared.array(THREADS, float32)
    columns = x.shape[1]
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    top = float32(0.0)
    for c in range(t, columns, THREADS):
        row[c] = x[r, c]
        top = max(top, row[c])
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
        row[c] = math.exp(row[c] - top)
        total += row[c]
    part[t] = total
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            part[t] += part[t + half]
        cuda.syncthreads()
        half //= 2
    total = part[0]
    for c in range(t, columns, THREADS):
        out[r, c] = row[c] / total
