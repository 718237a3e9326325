from numba import cuda, float32

THREADS = 256
ELEMENTS = 8 * THREADS


@cuda.jit
def dot(a, b, partial):
    part = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * ELEMENTS
    end = min(first + ELEMENTS, a.size)
    s = float32(0.0)
    for i in range(first + t, end, THREADS):
        s += a[i] * b[i]
    part[t] = s
    cuda.syncthreads()
    if t == 0:
        for k in range(1, THREADS):
            s += part[k]
        partial[cuda.blockIdx.x] = s
