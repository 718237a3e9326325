from numba import cuda, float32


@cuda.jit
def spmv(starts, columns, values, x, y):
    r = cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y
    if r < y.shape[0]:
        i = starts[r] + cuda.threadIdx.x
        end = starts[r + 1]
        total = float32(0)
        while i < end:
            total += values[i] * x[columns[i]]
            i += 32
        for d in (16, 8, 4, 2, 1):
            total += cuda.shfl_xor_sync(0xFFFFFFFF, total, d)
        if cuda.threadIdx.x == 0:
            y[r] = total
