from numba import cuda, float32, int32
from numba.cuda import libdevice

ALL = 0xFFFFFFFF
SMALLEST_NORMAL = float32(2.0**-6)


@cuda.jit(device=True)
def to_e4m3(v):
    size = abs(v)
    if size < SMALLEST_NORMAL:
        code = int32(libdevice.rintf(size * float32(512.0)))
    else:
        # Half of the last of 3 mantissa bits, less a bit where that one is 0: ties to even.
        bits = libdevice.float_as_int(size)
        code = ((bits + 0x7FFFF + ((bits >> 20) & 1)) >> 20) - (120 << 3)
    code = min(code, 0x7E)
    return code | 0x80 if libdevice.float_as_int(v) < 0 else code


@cuda.jit
def quantize(x, codes, scales):
    t = cuda.threadIdx.x
    lane = t % 32
    first = cuda.blockIdx.x * 64 + t // 32 * 8
    for g in range(first, min(first + 8, scales.size)):
        v = x[g, lane]
        largest = abs(v)
        for step in (16, 8, 4, 2, 1):
            largest = max(largest, cuda.shfl_xor_sync(ALL, largest, step))
        exponent = libdevice.float_as_int(largest) >> 23
        scale = max(exponent - 8, 0)
        codes[g, lane] = to_e4m3(v * libdevice.int_as_float(int32(254 - scale) << 23))
        if lane == 0:
            scales[g] = scale
