from numba import cuda, int32

THREADS = 256
LONGEST = 1024
BOTH = 2048


@cuda.jit
def merge(a, b, out):
    """Each element finds its place by a binary search in the other row."""
    sa = cuda.shared.array(LONGEST, int32)
    sb = cuda.shared.array(LONGEST, int32)
    so = cuda.shared.array(BOTH, int32)
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    m = a.shape[1]
    n = b.shape[1]
    for i in range(t, m, THREADS):
        sa[i] = a[r, i]
    for j in range(t, n, THREADS):
        sb[j] = b[r, j]
    cuda.syncthreads()
    for i in range(t, m, THREADS):
        low = 0
        high = n
        while low < high:
            middle = (low + high) // 2
            if sb[middle] < sa[i]:
                low = middle + 1
            else:
                high = middle
        so[i + low] = sa[i]
    for j in range(t, n, THREADS):
        low = 0
        high = m
        while low < high:
            middle = (low + high) // 2
            if sa[middle] <= sb[j]:
                low = middle + 1
            else:
                high = middle
        so[j + low] = sb[j]
    cuda.syncthreads()
    for k in range(t, m + n, THREADS):
        out[r, k] = so[k]
