from numba import cuda, float32

SIZE = 256
WARPS = SIZE // 32
ALL = 0xFFFFFFFF


@cuda.jit(device=True)
def block_sum(v, parts):
    t = cuda.threadIdx.x
    for step in (16, 8, 4, 2, 1):
        v += cuda.shfl_down_sync(ALL, v, step)
    cuda.syncthreads()
    if t % 32 == 0:
        parts[t // 32] = v
    cuda.syncthreads()
    total = float32(0.0)
    for w in range(WARPS):
        total += parts[w]
    return total


@cuda.jit
def statistics(x, mean, var):
    parts = cuda.shared.array(WARPS, float32)
    t = cuda.threadIdx.x
    c = cuda.blockIdx.x
    batch, _, pixels = x.shape
    n = float32(batch * pixels)
    s = float32(0.0)
    q = float32(0.0)
    for i in range(t, batch * pixels, SIZE):
        v = x[i // pixels, c, i % pixels]
        s += v
        q += v * v
    m = block_sum(s, parts) / n
    q = block_sum(q, parts) / n
    if t == 0:
        mean[c] = m
        var[c] = q - m * m
