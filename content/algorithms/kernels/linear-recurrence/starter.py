from numba import cuda, float32

ROWS = 8
ALL = 0xFFFFFFFF


@cuda.jit
def recur(a, b, h):
    lane = cuda.threadIdx.x
    row = cuda.blockIdx.x * ROWS + cuda.threadIdx.y
    rows, length = a.shape
