from numba import cuda, int32

THREADS = 256
LONGEST = 1024
BOTH = 2048


@cuda.jit
def merge(a, b, out):
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
    each = (m + n + THREADS - 1) // THREADS
    first = min(t * each, m + n)
    last = min(first + each, m + n)
    low = max(0, first - n)
    high = min(first, m)
    while low < high:
        middle = (low + high) // 2
        if sa[middle] <= sb[first - 1 - middle]:
            low = middle + 1
        else:
            high = middle
    i = low
    j = first - low
    for k in range(first, last):
        if j >= n or sa[i] <= sb[j]:
            so[k] = sa[i]
            i += 1
        else:
            so[k] = sb[j]
            j += 1
    cuda.syncthreads()
    for k in range(t, m + n, THREADS):
        out[r, k] = so[k]
