from numba import cuda, int32

SIZE = 256
WARPS = SIZE // 32
FULL = 0xFFFFFFFF


@cuda.jit
def scan(a, out, sums):
    totals = cuda.shared.array(WARPS, int32)
    t = cuda.threadIdx.x
    lane = t % 32
    warp = t // 32
    i = cuda.blockIdx.x * SIZE + t
