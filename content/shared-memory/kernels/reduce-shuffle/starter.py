from numba import cuda, float32

THREADS = 256
ELEMENTS = 4 * THREADS
ALL = 0xFFFFFFFF


@cuda.jit
def block_sums(values, sums):
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * ELEMENTS
    total = float32(0.0)
