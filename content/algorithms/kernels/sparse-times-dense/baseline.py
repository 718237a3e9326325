from numba import cuda, float32


@cuda.jit
def spmm(starts, columns, values, b, c):
    lane = cuda.threadIdx.x
    first = cuda.blockIdx.x * 32
    row = cuda.blockIdx.y * 8 + cuda.threadIdx.y
    if row >= c.shape[0]:
        return
    for j in range(first, min(first + 32, c.shape[1])):
        s = float32(0.0)
        for i in range(starts[row] + lane, starts[row + 1], 32):
            s += values[i] * b[columns[i], j]
        offset = 16
        while offset > 0:
            s += cuda.shfl_down_sync(0xFFFFFFFF, s, offset)
            offset //= 2
        if lane == 0:
            c[row, j] = s
