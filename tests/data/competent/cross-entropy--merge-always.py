import math

from numba import cuda, float32

ALL = 0xFFFFFFFF


@cuda.jit(device=True)
def merge(m, s, n, t):
    top = max(m, n)
    return top, s * math.exp(m - top) + t * math.exp(n - top)


@cuda.jit
def cross_entropy(logits, labels, loss):
    r = cuda.blockIdx.x * 8 + cuda.threadIdx.y
    lane = cuda.threadIdx.x
    if r >= loss.size:
        return
    m = float32(-1e30)
    s = float32(0)
    c = lane
    while c < logits.shape[1]:
        m, s = merge(m, s, float32(logits[r, c]), float32(1))
        c += 32
    d = 16
    while d:
        n = cuda.shfl_down_sync(ALL, m, d)
        t = cuda.shfl_down_sync(ALL, s, d)
        m, s = merge(m, s, n, t)
        d //= 2
    if lane == 0:
        loss[r] = m - float32(logits[r, labels[r]]) + math.log(s)
