from numba import cuda, int32

SIZE = 256
THREADS = SIZE // 2
LARGEST = 2**31 - 1


@cuda.jit
def sort(a, out):
    s = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    start = cuda.blockIdx.x * SIZE
    for j in range(t, SIZE, THREADS):
        s[j] = a[start + j] if start + j < a.size else LARGEST
    cuda.syncthreads()
    length = 2
    while length <= SIZE:
        d = length // 2
        while d > 0:
            i = 2 * t - (t & (d - 1))
            x = s[i]
            y = s[i + d]
            if (x > y) == (i & length == 0):
                s[i] = y
                s[i + d] = x
                cuda.syncthreads()
            d //= 2
        length *= 2
    for j in range(t, SIZE, THREADS):
        if start + j < a.size:
            out[start + j] = s[j]
