from numba import cuda, float32

THREADS = 256
WARPS = THREADS // 32
ALL = 0xFFFFFFFF


@cuda.jit
def row_sums(values, sums):
    part = cuda.shared.array(WARPS, float32)
    t = cuda.threadIdx.x
    row = cuda.blockIdx.y
    s = float32(0.0)
    for i in range(cuda.grid(1), values.shape[1], cuda.gridsize(1)):
        s += values[row, i]
    offset = 16
    while offset > 0:
        s += cuda.shfl_down_sync(ALL, s, offset)
        offset //= 2
    if t % 32 == 0:
        part[t // 32] = s
    cuda.syncthreads()
    if t == 0:
        for w in range(1, WARPS):
            s += part[w]
        sums[row] += s
