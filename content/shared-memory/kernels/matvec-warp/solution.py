from numba import cuda, float32

ROWS = 8
ALL = 0xFFFFFFFF


@cuda.jit
def matvec(matrix, x, y):
    rows, columns = matrix.shape
    lane = cuda.threadIdx.x
    row = cuda.blockIdx.x * ROWS + cuda.threadIdx.y
    if row >= rows:
        return
    s = float32(0.0)
    for c in range(lane, columns, 32):
        s += matrix[row, c] * x[c]
    offset = 16
    while offset > 0:
        s += cuda.shfl_down_sync(ALL, s, offset)
        offset //= 2
    if lane == 0:
        y[row] = s
