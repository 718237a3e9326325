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
    if t == 0:
        for k in range(1, THREADS):
            total += part[k]
        sums[cuda.blockIdx.x] = total
