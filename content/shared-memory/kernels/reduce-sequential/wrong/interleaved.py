from numba import cuda, float32

THREADS = 256


@cuda.jit
def block_sums(values, sums):
    part = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i < values.size:
        part[t] = values[i]
    else:
        part[t] = float32(0.0)
    cuda.syncthreads()
    step = 1
    while step < THREADS:
        i = 2 * step * t
        if i < THREADS:
            part[i] += part[i + step]
        cuda.syncthreads()
        step *= 2
    if t == 0:
        sums[cuda.blockIdx.x] = part[0]
