from numba import cuda, float32


@cuda.jit
def spmv(starts, columns, values, x, y):
    thread = cuda.threadIdx.y * 32 + cuda.threadIdx.x
    row = cuda.blockIdx.x * 256 + thread
    if row < y.size:
        s = float32(0.0)
        for i in range(starts[row], starts[row + 1]):
            s += values[i] * x[columns[i]]
        y[row] = s
