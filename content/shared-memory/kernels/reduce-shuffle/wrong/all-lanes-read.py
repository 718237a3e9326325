from numba import cuda, float32

THREADS = 256
ELEMENTS = 4 * THREADS
WARPS = THREADS // 32
ALL = 0xFFFFFFFF


@cuda.jit
def block_sums(values, sums):
    part = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * ELEMENTS
    end = min(first + ELEMENTS, values.size)
    total = float32(0.0)
    for i in range(first + t, end, THREADS):
        total += values[i]
    offset = 16
    while offset > 0:
        total += cuda.shfl_down_sync(ALL, total, offset)
        offset //= 2
    if t % 32 == 0:
        part[t // 32] = total
    cuda.syncthreads()
    if t < 32:
        total = part[t]
        offset = 16
        while offset > 0:
            total += cuda.shfl_down_sync(ALL, total, offset)
            offset //= 2
        if t == 0:
            sums[cuda.blockIdx.x] = total
