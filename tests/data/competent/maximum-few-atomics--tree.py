from numba import cuda, int32

THREADS = 256


@cuda.jit
def largest(keys, best):
    s = cuda.shared.array(THREADS, int32)
    t = cuda.threadIdx.x
    row = cuda.blockIdx.y
    x = int32(-0x80000000)
    for i in range(cuda.blockIdx.x * THREADS + t, keys.shape[1], THREADS * cuda.gridDim.x):
        x = max(x, keys[row, i])
    s[t] = x
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            s[t] = max(s[t], s[t + half])
        cuda.syncthreads()
        half //= 2
    if t == 0:
        cuda.atomic.max(best, row, s[0])
