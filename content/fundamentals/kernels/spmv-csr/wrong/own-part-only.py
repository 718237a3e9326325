from numba import cuda, float32

WARPS = 8


@cuda.jit
def spmv(starts, columns, values, x, y):
    lane = cuda.threadIdx.x
    row = cuda.blockIdx.x * WARPS + cuda.threadIdx.y
    if row >= y.size:
        return
    s = float32(0.0)
    for i in range(starts[row] + lane, starts[row + 1], 32):
        s += values[i] * x[columns[i]]
    if lane == 0:
        y[row] = s
