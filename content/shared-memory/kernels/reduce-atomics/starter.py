from numba import cuda, float32


@cuda.jit
def row_sums(values, sums):
    t = cuda.threadIdx.x
    row = cuda.blockIdx.y
    s = float32(0.0)
    for i in range(cuda.grid(1), values.shape[1], cuda.gridsize(1)):
        s += values[row, i]
