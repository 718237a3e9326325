from numba import cuda, float32

THREADS = 256
ELEMENTS = 4 * THREADS


@cuda.jit
def block_sums(values, sums):
    part = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * ELEMENTS
    end = min(first + ELEMENTS, values.size)
    total = float32(0.0)
    for i in range(first + t, end, THREADS):
        total += values[i]
    part[t] = total
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            part[t] += part[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        sums[cuda.blockIdx.x] = part[0]
