from numba import cuda, int32

SIZE = 256


@cuda.jit
def scan(a, out, sums):
    s = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * SIZE + t
    own = a[i] if i < a.size else int32(0)
    s[t] = own
    cuda.syncthreads()
    d = 1
    while d < SIZE:
        x = s[t]
        if t >= d:
            x = int32(x + s[t - d])
        cuda.syncthreads()
        s[t] = x
        cuda.syncthreads()
        d *= 2
    if i < a.size:
        out[i] = s[t] - own
    if t == SIZE - 1:
        sums[cuda.blockIdx.x] = s[t]
