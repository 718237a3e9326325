from numba import cuda, int32

WARPS = 8
FULL = 0xFFFFFFFF


@cuda.jit
def largest(keys, best):
    s = cuda.shared.array(WARPS, int32)
    t = cuda.threadIdx.x
    lane = t % 32
    warp = t // 32
    row = cuda.blockIdx.y
