from numba import cuda, float32

SIZE = 256
WARPS = SIZE // 32
ALL = 0xFFFFFFFF


@cuda.jit(device=True)
def merge(n, mean, m2, more, other, other_m2):
    """Join two parts: number of values, mean, and sum of squared deviations."""
    total = n + more
    if total > 0:
        d = other - mean
        share = more / total
        m2 += other_m2 + d * d * n * share
        mean += d * share
    return total, mean, m2


@cuda.jit
def statistics(x, mean, var):
    counts = cuda.shared.array(WARPS, float32)
    means = cuda.shared.array(WARPS, float32)
    squares = cuda.shared.array(WARPS, float32)
    t = cuda.threadIdx.x
    c = cuda.blockIdx.x
    batch, _, pixels = x.shape
    count = 0
    m = float32(0.0)
    m2 = float32(0.0)
    for i in range(t, batch * pixels, SIZE):
        v = x[i // pixels, c, i % pixels]
        count += 1
        d = v - m
        m += d / float32(count)
        m2 += d * (v - m)
    n = float32(count)
    for step in (16, 8, 4, 2, 1):
        more = cuda.shfl_down_sync(ALL, n, step)
        other = cuda.shfl_down_sync(ALL, m, step)
        other_m2 = cuda.shfl_down_sync(ALL, m2, step)
        n, m, m2 = merge(n, m, m2, more, other, other_m2)
    if t % 32 == 0:
        counts[t // 32] = n
        means[t // 32] = m
        squares[t // 32] = m2
    cuda.syncthreads()
    if t == 0:
        for w in range(1, WARPS):
            n, m, m2 = merge(n, m, m2, counts[w], means[w], squares[w])
        mean[c] = m
        var[c] = m2 / n
