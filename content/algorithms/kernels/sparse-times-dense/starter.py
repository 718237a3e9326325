from numba import cuda, float32


@cuda.jit
def spmm(starts, columns, values, b, c):
    j = cuda.blockIdx.x * 32 + cuda.threadIdx.x
    row = cuda.blockIdx.y * 8 + cuda.threadIdx.y
