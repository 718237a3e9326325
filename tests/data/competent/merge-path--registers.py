from numba import cuda, int32

N = 256
ALL = 2048


@cuda.jit(device=True)
def split(keys, m, n, d):
    """How many of the first d outputs come from the first row; the second begins at m."""
    lo = max(0, d - n)
    hi = min(d, m)
    while lo < hi:
        x = (lo + hi) >> 1
        if keys[m + d - 1 - x] < keys[x]:
            hi = x
        else:
            lo = x + 1
    return lo


@cuda.jit
def merge(a, b, out):
    """Both rows in one array; results wait in registers until it may be overwritten."""
    keys = cuda.shared.array(ALL, int32)
    mine = cuda.local.array(8, int32)
    row = cuda.blockIdx.x
    t = cuda.threadIdx.x
    m = a.shape[1]
    n = b.shape[1]
    for k in range(t, m + n, N):
        keys[k] = a[row, k] if k < m else b[row, k - m]
    cuda.syncthreads()
    items = (m + n + N - 1) // N
    d = t * items
    if d < m + n:
        i = split(keys, m, n, d)
        j = m + d - i
        for k in range(items):
            if i < m and (j >= m + n or keys[i] <= keys[j]):
                mine[k] = keys[i]
                i += 1
            elif j < m + n:
                mine[k] = keys[j]
                j += 1
    cuda.syncthreads()
    for k in range(items):
        if d + k < m + n:
            keys[d + k] = mine[k]
    cuda.syncthreads()
    for k in range(t, m + n, N):
        out[row, k] = keys[k]
