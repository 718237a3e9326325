from numba import cuda, float32


@cuda.jit
def matvec(matrix, x, y):
    lane = cuda.threadIdx.x
    row = cuda.blockIdx.x * 8 + cuda.threadIdx.y
    s = float32(0)
    if row < matrix.shape[0]:
        c = lane
        while c < matrix.shape[1]:
            s += matrix[row, c] * x[c]
            c += 32
    for d in (1, 2, 4, 8, 16):
        s += cuda.shfl_xor_sync(0xFFFFFFFF, s, d)
    if lane == 0 and row < matrix.shape[0]:
        y[row] = s
