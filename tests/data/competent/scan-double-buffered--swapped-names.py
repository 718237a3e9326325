from numba import cuda, float32

SIZE = 256
BOTH = 2 * SIZE


@cuda.jit
def scan(a, out):
    s = cuda.shared.array(BOTH, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    x = float32(0)
    if i < a.size:
        x = a[i]
    s[t] = x
    cuda.syncthreads()
    old = 0
    for power in range(8):
        d = 1 << power
        new = SIZE - old
        x = s[old + t]
        if t >= d:
            x = x + s[old + t - d]
        s[new + t] = x
        cuda.syncthreads()
        old = new
    if i < a.size:
        out[i] = s[old + t]
