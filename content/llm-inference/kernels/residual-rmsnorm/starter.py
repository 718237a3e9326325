from numba import cuda


@cuda.jit
def add_rmsnorm(x, residual, weight, eps, out):
    columns = x.shape[1]
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
