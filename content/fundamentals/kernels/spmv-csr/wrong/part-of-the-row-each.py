from numba import cuda, float32

WARPS = 8
ALL = 0xFFFFFFFF


@cuda.jit
def spmv(starts, columns, values, x, y):
    lane = cuda.threadIdx.x
    row = cuda.blockIdx.x * WARPS + cuda.threadIdx.y
    if row >= y.size:
        return
    s = float32(0.0)
    each = (starts[row + 1] - starts[row] + 31) // 32
    start = starts[row] + lane * each
    for i in range(start, min(start + each, starts[row + 1])):
        s += values[i] * x[columns[i]]
    offset = 16
    while offset > 0:
        s += cuda.shfl_down_sync(ALL, s, offset)
        offset //= 2
    if lane == 0:
        y[row] = s
