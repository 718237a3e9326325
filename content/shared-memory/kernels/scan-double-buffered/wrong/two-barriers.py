from numba import cuda, float32

SIZE = 256


@cuda.jit
def scan(a, out):
    s = cuda.shared.array(SIZE, float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * SIZE + t
    s[t] = a[i] if i < a.size else float32(0.0)
    cuda.syncthreads()
    d = 1
    while d < SIZE:
        x = s[t]
        if t >= d:
            x += s[t - d]
        cuda.syncthreads()
        s[t] = x
        cuda.syncthreads()
        d *= 2
    if i < a.size:
        out[i] = s[t]
