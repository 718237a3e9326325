from numba import cuda, float32

SIZE = 256


@cuda.jit
def scan(a, out):
    s = cuda.shared.array((2, SIZE), float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * SIZE + t
