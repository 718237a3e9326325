from numba import cuda, float32, int32

WARPS = 8
FULL = 0xFFFFFFFF
SMALLEST = -(2**31)


@cuda.jit
def largest(keys, best):
    s = cuda.shared.array(WARPS, float32)
    t = cuda.threadIdx.x
    lane = t % 32
    warp = t // 32
    row = cuda.blockIdx.y
    x = int32(SMALLEST)
    for i in range(cuda.grid(1), keys.shape[1], cuda.gridsize(1)):
        x = max(x, keys[row, i])
    d = 16
    while d > 0:
        x = max(x, cuda.shfl_down_sync(FULL, x, d))
        d //= 2
    if lane == 0:
        s[warp] = x
    cuda.syncthreads()
    if t == 0:
        for w in range(1, WARPS):
            x = max(x, int32(s[w]))
        cuda.atomic.max(best, row, x)
