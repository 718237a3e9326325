from numba import cuda

THREADS = 256


@cuda.jit
def merge(a, b, out):
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    m = a.shape[1]
    n = b.shape[1]
    for i in range(t, m, THREADS):
        v = a[r, i]
        low = 0
        high = n
        while low < high:
            middle = (low + high) // 2
            if b[r, middle] < v:
                low = middle + 1
            else:
                high = middle
        out[r, i + low] = v
    for j in range(t, n, THREADS):
        v = b[r, j]
        low = 0
        high = m
        while low < high:
            middle = (low + high) // 2
            if a[r, middle] <= v:
                low = middle + 1
            else:
                high = middle
        out[r, j + low] = v
