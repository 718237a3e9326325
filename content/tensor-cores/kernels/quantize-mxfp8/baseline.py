from numba import cuda, float32, int32
from numba.cuda import libdevice

SMALLEST_NORMAL = float32(2.0**-6)


@cuda.jit(device=True)
def to_e4m3(v):
    size = abs(v)
    if size < SMALLEST_NORMAL:
        code = int32(libdevice.rintf(size * float32(512.0)))
    else:
        bits = libdevice.float_as_int(size)
        code = ((bits + 0x7FFFF + ((bits >> 20) & 1)) >> 20) - (120 << 3)
    code = min(code, 0x7E)
    return code | 0x80 if libdevice.float_as_int(v) < 0 else code


@cuda.jit
def quantize(x, codes, scales):
    # A group of 32 per thread, in a quarter of the threads.
    g = cuda.blockIdx.x * 64 + cuda.threadIdx.x
    if cuda.threadIdx.x >= 64 or g >= scales.size:
        return
    largest = float32(0.0)
    for i in range(32):
        largest = max(largest, abs(x[g, i]))
    exponent = libdevice.float_as_int(largest) >> 23
    scale = max(exponent - 8, 0)
    factor = libdevice.int_as_float(int32(254 - scale) << 23)
    for i in range(32):
        codes[g, i] = to_e4m3(x[g, i] * factor)
    scales[g] = scale
