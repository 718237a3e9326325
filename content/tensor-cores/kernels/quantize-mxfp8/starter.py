from numba import cuda, float32, int32
from numba.cuda import libdevice

ALL = 0xFFFFFFFF


@cuda.jit
def quantize(x, codes, scales):
    t = cuda.threadIdx.x
