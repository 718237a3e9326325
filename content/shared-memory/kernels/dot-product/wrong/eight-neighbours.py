from numba import cuda, float32

THREADS = 256
ELEMENTS = 8 * THREADS


@cuda.jit
def dot(a, b, partial):
    part = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * ELEMENTS
    start = first + 8 * t
    end = min(start + 8, a.size)
    s = float32(0.0)
    for i in range(start, end):
        s += a[i] * b[i]
    part[t] = s
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            part[t] += part[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = part[0]
