import math

from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def rmsnorm(x, w, eps, q, scale):
    """x · w in registers, both reductions by shuffles, combined by every thread."""
    s = cuda.shared.array(8, float32)
    m = cuda.shared.array(8, float32)
    mine = cuda.local.array(8, float32)
    n = x.shape[1]
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    ss = float32(0)
    mm = float32(0)
    for i in range(8):
        c = t + 256 * i
        if c < n:
            v = float32(x[r, c])
            ss += v * v
            mine[i] = v * w[c]
            mm = max(mm, abs(mine[i]))
    for d in (16, 8, 4, 2, 1):
        ss += cuda.shfl_xor_sync(FULL, ss, d)
        mm = max(mm, cuda.shfl_xor_sync(FULL, mm, d))
    if t % 32 == 0:
        s[t // 32] = ss
        m[t // 32] = mm
    cuda.syncthreads()
    ss = s[0]
    mm = m[0]
    for i in range(1, 8):
        ss += s[i]
        mm = max(mm, m[i])
    k = float32(127) / mm
    for i in range(8):
        c = t + 256 * i
        if c < n:
            q[r, c] = math.floor(mine[i] * k + float32(0.5))
    if t == 0:
        scale[r] = mm / (math.sqrt(ss / float32(n) + eps) * float32(127))
