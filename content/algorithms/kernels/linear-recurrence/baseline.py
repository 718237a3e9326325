from numba import cuda, float32

ROWS = 8


@cuda.jit
def recur(a, b, h):
    rows, length = a.shape
    row = cuda.blockIdx.x * ROWS + cuda.threadIdx.x
    if cuda.threadIdx.y > 0 or cuda.threadIdx.x >= ROWS or row >= rows:
        return
    state = float32(0.0)
    for t in range(length):
        state = a[row, t] * state + b[row, t]
        h[row, t] = state
