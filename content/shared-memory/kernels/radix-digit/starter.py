from numba import cuda, int32

SIZE = 256
WARPS = 8
DIGITS = 16
FULL = 0xFFFFFFFF


@cuda.jit
def sort_digit(keys, shift, out, counts):
    t = cuda.threadIdx.x
    lane = t % 32
    warp = t // 32
    start = cuda.blockIdx.x * SIZE
    count = min(SIZE, keys.size - start)
    key = keys[start + t] if t < count else int32(0)
    digit = key >> shift & 15
