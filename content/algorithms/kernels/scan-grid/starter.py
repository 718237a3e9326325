from numba import cuda, int32

SIZE = 256
WARPS = SIZE // 32
ALL = 0xFFFFFFFF
EMPTY, SUM, PREFIX = 0, 1, 2


@cuda.jit
def scan(a, out, sums, prefixes, flags, counter):
    t = cuda.threadIdx.x
    lane = t % 32
    warp = t // 32
