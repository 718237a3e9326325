from numba import cuda, float32, int32

SIZE = 256


@cuda.jit
def compact(a, out, counts):
    s = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    block = cuda.blockIdx.x
    i = block * SIZE + t
    x = a[i] if i < a.size else float32(0.0)
    s[t] = 1 if x > 0 else 0
    cuda.syncthreads()
    d = 1
    while d < SIZE:
        before = s[t - d] if t >= d else 0
        cuda.syncthreads()
        s[t] += before
        cuda.syncthreads()
        d *= 2
    if x > 0:
        out[block, s[t] - 1] = x
    if t == SIZE - 1:
        counts[block] = s[t]
