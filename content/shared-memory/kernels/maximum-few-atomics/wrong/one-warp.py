from numba import cuda, int32

FULL = 0xFFFFFFFF
SMALLEST = -(2**31)


@cuda.jit
def largest(keys, best):
    t = cuda.threadIdx.x
    if t >= 32:
        return
    row = cuda.blockIdx.y
    x = int32(SMALLEST)
    start = cuda.blockIdx.x * 32 + t
    for i in range(start, keys.shape[1], cuda.gridDim.x * 32):
        x = max(x, keys[row, i])
    d = 16
    while d > 0:
        x = max(x, cuda.shfl_down_sync(FULL, x, d))
        d //= 2
    if t == 0:
        cuda.atomic.max(best, row, x)
