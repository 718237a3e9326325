from numba import cuda, float32, int32
from numba.cuda import libdevice


@cuda.jit
def quantize(x, codes, scales):
    t = cuda.threadIdx.x
    for step in range(8):
        g = cuda.blockIdx.x * 64 + step * 8 + t // 32
        if g >= scales.size:
            return
        v = x[g, t % 32]
        size = int32(libdevice.float_as_int(v) & 0x7FFFFFFF)
        for other in (1, 2, 4, 8, 16):
            seen = cuda.shfl_xor_sync(0xFFFFFFFF, size, other)
            size = seen if seen > size else size
        exponent = size >> 23
        byte = exponent - 8 if exponent > 8 else 0
        sign = 128 if libdevice.float_as_int(v) < 0 else 0
        v = abs(v) * libdevice.int_as_float(int32((254 - byte) << 23))
        v = min(v, float32(448.0))
        # Adding 2^23 times the spacing of the codes around v rounds v to that spacing.
        power = max(libdevice.float_as_int(v) >> 23, 121)
        magic = libdevice.int_as_float(int32((power + 20) << 23))
        v = (v + magic) - magic
        power = libdevice.float_as_int(v) >> 23
        if power < 121:
            code = int32(v * float32(512.0))
        else:
            code = (libdevice.float_as_int(v) >> 20) - 960
        codes[g, t % 32] = code + sign
        if t % 32 == 31:
            scales[g] = byte
