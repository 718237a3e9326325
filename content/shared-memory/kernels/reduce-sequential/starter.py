from numba import cuda, float32

THREADS = 256


@cuda.jit
def block_sums(values, sums):
    part = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
