from numba import cuda, float32


@cuda.jit
def spmm(starts, columns, values, b, c):
    j = cuda.blockIdx.x * 32 + cuda.threadIdx.x
    row = cuda.blockIdx.y * 8 + cuda.threadIdx.y
    if row >= c.shape[0] or j >= c.shape[1]:
        return
    s = float32(0.0)
    for i in range(starts[row], starts[row + 1]):
        s += values[i] * b[i - starts[row], j]
    c[row, j] = s
