from numba import cuda, float32

SIZE = 256
WARPS = SIZE // 32
ALL = 0xFFFFFFFF


@cuda.jit
def statistics(x, mean, var):
    t = cuda.threadIdx.x
    c = cuda.blockIdx.x
    batch, _, pixels = x.shape
