from numba import cuda, float32

THREADS = 256
ELEMENTS = 8 * THREADS


@cuda.jit
def dot(a, b, partial):
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * ELEMENTS
    end = min(first + ELEMENTS, a.size)
