from numba import cuda, int32

FULL = 0xFFFFFFFF
SMALLEST = -(2**31)


@cuda.jit
def largest(keys, best):
    t = cuda.threadIdx.x
    lane = t % 32
    row = cuda.blockIdx.y
    x = int32(SMALLEST)
    for i in range(cuda.grid(1), keys.shape[1], cuda.gridsize(1)):
        x = max(x, keys[row, i])
    d = 16
    while d > 0:
        x = max(x, cuda.shfl_down_sync(FULL, x, d))
        d //= 2
    if lane == 0:
        cuda.atomic.max(best, row, x)
