import numpy as np
from numba import cuda, float32


@cuda.jit(device=True)
def power_of_two(exponent):
    return float32(1 << exponent)


@cuda.jit
def dequantize(codes, scales, out):
    # A group of 16 per thread, in half of the threads.
    g = cuda.blockIdx.x * 128 + cuda.threadIdx.x
    if cuda.threadIdx.x >= 128 or g >= scales.size:
        return
    bits = np.int32(scales[g])
    exponent, mantissa = bits >> 3, bits & 7
    if exponent == 0:
        scale = float32(mantissa)
    else:
        scale = power_of_two(exponent - 1) * float32(8 + mantissa)
    for i in range(16 * g, 16 * g + 16):
        code = np.int32(codes[i // 2]) >> (4 * (i % 2))
        exponent, mantissa = (code >> 1) & 3, code & 1
        if exponent == 0:
            value = float32(0.5) * float32(mantissa)
        else:
            value = power_of_two(exponent) * float32(2 + mantissa) * float32(0.25)
        if code & 8:
            value = -value
        out[i] = value * scale * float32(2.0**-9)
