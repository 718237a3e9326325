from numba import cuda, float32

WARPS = 8
ALL = 0xFFFFFFFF


@cuda.jit
def spmv(starts, columns, values, x, y):
    lane = cuda.threadIdx.x
    row = cuda.blockIdx.x * WARPS + cuda.threadIdx.y
    s = float32(0.0)
