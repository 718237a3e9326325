from numba import cuda, float32

SIZE = 256


@cuda.jit
def scan(a, out):
    s = cuda.shared.array((2, SIZE), float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * SIZE + t
    s[0, t] = a[i] if i < a.size else float32(0.0)
    cuda.syncthreads()
    source = 0
    d = 1
    while d < SIZE:
        if t >= d:
            s[1 - source, t] = s[source, t] + s[source, t - d]
            cuda.syncthreads()
        else:
            s[1 - source, t] = s[source, t]
        source = 1 - source
        d *= 2
    if i < a.size:
        out[i] = s[source, t]
