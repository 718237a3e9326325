from numba import cuda, int32

SIZE = 256


@cuda.jit
def sort(a, out):
    s = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * SIZE
    for j in range(t, SIZE, 128):
        s[j] = a[first + j] if first + j < a.size else 0x7FFFFFFF
    cuda.syncthreads()
    for power in range(1, 9):
        for step in range(power - 1, -1, -1):
            d = 1 << step
            i = ((t >> step) << (step + 1)) | (t & (d - 1))
            j = i | d
            x = s[i]
            y = s[j]
            up = (i >> power) & 1 == 0
            s[i] = min(x, y) if up else max(x, y)
            s[j] = max(x, y) if up else min(x, y)
            cuda.syncthreads()
    for j in range(t, SIZE, 128):
        if first + j < a.size:
            out[first + j] = s[j]
