from numba import cuda


@cuda.jit
def saxpy(a, x, y):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if i >= x.shape[0]:
        return
    y[i] += a * x[i]
