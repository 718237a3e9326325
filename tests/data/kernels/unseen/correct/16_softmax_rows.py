"""Softmax of every row, one block per row, maximum and sum by tree reductions that share one buffer."""
import math

import numpy as np
from numba import cuda, float32

THREADS = 64


@cuda.jit
def softmax(x, y):
    red = cuda.shared.array(THREADS, float32)
    row = cuda.blockIdx.x
    tid = cuda.threadIdx.x
    cols = x.shape[1]

    m = float32(-math.inf)
    for c in range(tid, cols, THREADS):
        m = max(m, x[row, c])
    red[tid] = m
    cuda.syncthreads()
    s = THREADS // 2
    while s > 0:
        if tid < s:
            red[tid] = max(red[tid], red[tid + s])
        cuda.syncthreads()
        s //= 2
    row_max = red[0]
    cuda.syncthreads()

    total = float32(0.0)
    for c in range(tid, cols, THREADS):
        e = math.exp(x[row, c] - row_max)
        y[row, c] = e
        total += e
    red[tid] = total
    cuda.syncthreads()
    s = THREADS // 2
    while s > 0:
        if tid < s:
            red[tid] += red[tid + s]
        cuda.syncthreads()
        s //= 2

    inv = float32(1.0) / red[0]
    for c in range(tid, cols, THREADS):
        y[row, c] *= inv


rng = np.random.default_rng(17)
x = (5 * rng.standard_normal((11, 150))).astype(np.float32)
d_y = cuda.device_array(x.shape, dtype=np.float32)
softmax[x.shape[0], THREADS](cuda.to_device(x), d_y)
e = np.exp(x - x.max(axis=1, keepdims=True))
np.testing.assert_allclose(d_y.copy_to_host(), e / e.sum(axis=1, keepdims=True), rtol=1e-4, atol=1e-6)
print("ok")
