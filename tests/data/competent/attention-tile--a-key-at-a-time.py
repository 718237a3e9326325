import math

import numpy as np
from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit(device=True)
def warp_sum(x):
    for d in (16, 8, 4, 2, 1):
        x += cuda.shfl_xor_sync(FULL, x, d)
    return x


@cuda.jit
def attention(q, k, v, scale, out):
    """A lane is an element of the head throughout: no columns are read, nothing needs padding."""
    kt = cuda.shared.array((32, 32), np.float16)
    vt = cuda.shared.array((32, 32), np.float16)
    d = cuda.threadIdx.x
    w = cuda.threadIdx.y
    i = cuda.blockIdx.x * 8 + w
    n = k.shape[0]
    qd = float32(q[min(i, q.shape[0] - 1), d])
    m = float32(-1e30)
    l = float32(0)
    o = float32(0)
    for j0 in range(0, n, 32):
        for r in range(4):
            j = j0 + 8 * r + w
            if j < n:
                kt[8 * r + w, d] = k[j, d]
                vt[8 * r + w, d] = v[j, d]
        cuda.syncthreads()
        for j in range(min(32, n - j0)):
            s = warp_sum(qd * float32(kt[j, d])) * scale
            if s > m:
                c = math.exp(m - s)
                l *= c
                o *= c
                m = s
            p = math.exp(s - m)
            l += p
            o += p * float32(vt[j, d])
        cuda.syncthreads()
    if i < q.shape[0]:
        out[i, d] = o / l
