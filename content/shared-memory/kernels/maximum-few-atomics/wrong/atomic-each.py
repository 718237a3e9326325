from numba import cuda


@cuda.jit
def largest(keys, best):
    row = cuda.blockIdx.y
    for i in range(cuda.grid(1), keys.shape[1], cuda.gridsize(1)):
        cuda.atomic.max(best, row, keys[row, i])
