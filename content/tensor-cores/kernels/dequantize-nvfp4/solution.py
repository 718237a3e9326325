import numpy as np
from numba import cuda, float32

TILE, THREADS = 2048, 256


@cuda.jit(device=True)
def power_of_two(exponent):
    return float32(1 << exponent)


@cuda.jit
def dequantize(codes, scales, out):
    for step in range(TILE // THREADS):
        i = cuda.blockIdx.x * TILE + step * THREADS + cuda.threadIdx.x
        if i < out.size:
            pair = np.int32(codes[i // 2])
            code = pair >> (4 * (i % 2))  # in the low four bits
            exponent, mantissa = (code >> 1) & 3, code & 1
            if exponent == 0:
                value = float32(0.5) * float32(mantissa)
            else:
                value = power_of_two(exponent) * float32(2 + mantissa) * float32(0.25)
            if code & 8:
                value = -value

            bits = np.int32(scales[i // 16])
            exponent, mantissa = bits >> 3, bits & 7
            if exponent == 0:
                scale = float32(mantissa)
            else:
                scale = power_of_two(exponent - 1) * float32(8 + mantissa)
            out[i] = value * scale * float32(2.0**-9)
