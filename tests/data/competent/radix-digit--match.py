import numpy as np
from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit
def by_digit(keys, shift, out, counts):
    table = cuda.shared.array((16, 8), np.int32)
    firsts = cuda.shared.array(16, np.int32)
    moved = cuda.shared.array(256, np.int32)
    t = cuda.threadIdx.x
    warp = t >> 5
    start = cuda.blockIdx.x * 256
    count = min(256, keys.size - start)
    if t < 128:
        table[t >> 3, t & 7] = 0
    key = np.int32(0)
    digit = 16
    if t < count:
        key = keys[start + t]
        digit = (key >> shift) & 15
    cuda.syncthreads()
    same = np.uint32(cuda.match_any_sync(FULL, digit))
    lower = np.int32(cuda.popc(same & cuda.lanemask_lt()))
    if digit < 16 and lower == 0:
        table[digit, warp] = cuda.popc(same)
    cuda.syncthreads()
    if t < 32:
        total = np.int32(0)
        if t < 16:
            for w in range(8):
                own = table[t, w]
                table[t, w] = total
                total = np.int32(total + own)
            counts[cuda.blockIdx.x, t] = total
        x = total
        d = 1
        while d < 16:
            y = cuda.shfl_up_sync(FULL, x, d)
            if t >= d:
                x = np.int32(x + y)
            d *= 2
        if t < 16:
            firsts[t] = x - total
    cuda.syncthreads()
    if digit < 16:
        moved[firsts[digit] + table[digit, warp] + lower] = key
    cuda.syncthreads()
    if t < count:
        out[start + t] = moved[t]
