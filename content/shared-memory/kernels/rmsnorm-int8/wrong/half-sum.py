import math

import numpy as np
from numba import cuda, float32, int8

THREADS = 256
LONGEST = 2048


@cuda.jit
def rmsnorm(x, w, eps, q, scale):
    row = cuda.shared.array(LONGEST, float32)
    squares = cuda.shared.array(THREADS, np.float16)
    tops = cuda.shared.array(THREADS, float32)
    columns = x.shape[1]
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    total = float32(0.0)
    top = float32(0.0)
    for c in range(t, columns, THREADS):
        v = float32(x[r, c])
        total += v * v
        v *= w[c]
        top = max(top, abs(v))
        row[c] = v
    squares[t] = np.float16(total)
    tops[t] = top
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            squares[t] += squares[t + half]
            tops[t] = max(tops[t], tops[t + half])
        cuda.syncthreads()
        half //= 2
    top = tops[0]
    if t == 0:
        rms = math.sqrt(float32(squares[0]) / float32(columns) + eps)
        scale[r] = top / rms / float32(127.0)
    steps = float32(127.0) / top
    for c in range(t, columns, THREADS):
        q[r, c] = int8(round(row[c] * steps))
