from numba import cuda, int32

SIZE = 256
WARPS = SIZE // 32
FULL = 0xFFFFFFFF


@cuda.jit
def split(keys, out, bit):
    s = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    start = cuda.blockIdx.x * SIZE
    count = min(SIZE, keys.size - start)
