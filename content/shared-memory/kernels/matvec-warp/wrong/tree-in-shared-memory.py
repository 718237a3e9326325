from numba import cuda, float32

ROWS = 8


@cuda.jit
def matvec(matrix, x, y):
    rows, columns = matrix.shape
    lane = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    row = cuda.blockIdx.x * ROWS + ty
    part = cuda.shared.array((ROWS, 32), float32)
    s = float32(0.0)
    if row < rows:
        for c in range(lane, columns, 32):
            s += matrix[row, c] * x[c]
    part[ty, lane] = s
    cuda.syncthreads()
    offset = 16
    while offset > 0:
        if lane < offset:
            part[ty, lane] += part[ty, lane + offset]
        cuda.syncthreads()
        offset //= 2
    if lane == 0 and row < rows:
        y[row] = part[ty, 0]
