from numba import cuda, float32

THREADS = 256


@cuda.jit
def row_sums(values, sums):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    row = cuda.blockIdx.y
    total = float32(0)
    for i in range(cuda.blockIdx.x * THREADS + t, values.shape[1], THREADS * cuda.gridDim.x):
        total += values[row, i]
    s[t] = total
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            s[t] += s[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        cuda.atomic.add(sums, row, s[0])
