from numba import cuda, float32, int32

SIZE = 256
WARPS = SIZE // 32
FULL = 0xFFFFFFFF


@cuda.jit
def compact(a, out, counts):
    t = cuda.threadIdx.x
    block = cuda.blockIdx.x
    i = block * SIZE + t
    x = a[i] if i < a.size else float32(0.0)
