import numpy as np
from numba import cuda


@cuda.jit
def round_stochastic(x, r, out):
    i = cuda.blockIdx.x * 1024 + cuda.threadIdx.x
    end = min(out.size, (cuda.blockIdx.x + 1) * 1024)
    while i < end:
        bits = x[i]
        high = np.int32(bits >> np.uint32(16))
        low = np.int32(bits & np.uint32(0xFFFF))
        magnitude = high & 0x7FFF
        if magnitude > 0x7F80 or (magnitude == 0x7F80 and low != 0):
            high = 0x7FFF
        elif np.int32(r[i]) >= 0x10000 - low:
            high += 1
        out[i] = high
        i += 256
