from numba import cuda, float32

SIZE = 256


@cuda.jit
def scan(a, out):
    s = cuda.shared.array(SIZE, float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * SIZE + t
    s[t] = a[i] if i < a.size else float32(0.0)
    cuda.syncthreads()
    if i < a.size:
        x = float32(0.0)
        for j in range(t + 1):
            x += s[j]
        out[i] = x
