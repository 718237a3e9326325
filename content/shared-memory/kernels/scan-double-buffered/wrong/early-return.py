from numba import cuda, float32

SIZE = 256


@cuda.jit
def scan(a, out):
    s = cuda.shared.array((2, SIZE), float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * SIZE + t
    if i >= a.size:
        return
    s[0, t] = a[i]
    cuda.syncthreads()
    source = 0
    d = 1
    while d < SIZE:
        x = s[source, t]
        if t >= d:
            x += s[source, t - d]
        s[1 - source, t] = x
        cuda.syncthreads()
        source = 1 - source
        d *= 2
    out[i] = s[source, t]
