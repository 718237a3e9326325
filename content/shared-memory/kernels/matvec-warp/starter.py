from numba import cuda, float32

ROWS = 8
ALL = 0xFFFFFFFF


@cuda.jit
def matvec(matrix, x, y):
    rows, columns = matrix.shape
    lane = cuda.threadIdx.x
    row = cuda.blockIdx.x * ROWS + cuda.threadIdx.y
