from numba import cuda, float32, uint32

THREADS = 64
ELEMENTS = 4 * THREADS


@cuda.jit
def mse(prediction, target, parts, arrived, loss):
    t = cuda.threadIdx.x
    b = cuda.blockIdx.x
    blocks = cuda.gridDim.x
