import numpy as np
from numba import cuda, float32
from numba.cuda import libdevice

# Twice the value of each magnitude, four bits each.
TWICE = 0xC8643210


@cuda.jit
def dequantize(codes, scales, out):
    first = cuda.blockIdx.x * 2048 + cuda.threadIdx.x
    for i in range(first, min(first + 2048, out.size), 256):
        byte = np.uint32(codes[i >> 1])
        code = byte >> np.uint32(4) if i & 1 else byte & np.uint32(15)
        twice = np.int32((TWICE >> (4 * (code & 7))) & 15)
        # The bits of E4M3 at the place of a float's: exponents differ by 120.
        scale = libdevice.int_as_float(np.int32(scales[i >> 4]) << 20) * float32(2.0**120)
        value = float32(twice) * scale * float32(0.5)
        out[i] = -value if code > 7 else value
