from numba import cuda, int32

SIZE = 256
THREADS = SIZE // 2


@cuda.jit
def sort(a, out):
    s = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    start = cuda.blockIdx.x * SIZE
    count = min(SIZE, a.size - start)
    for j in range(t, count, THREADS):
        s[j] = a[start + j]
    cuda.syncthreads()
    for j in range(t, count, THREADS):
        x = s[j]
        place = 0
        for i in range(count):
            if s[i] < x or (s[i] == x and i < j):
                place += 1
        out[start + place] = x
