from numba import cuda, int32

SIZE = 256
THREADS = SIZE // 2


@cuda.jit
def sort(a, out):
    s = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    start = cuda.blockIdx.x * SIZE
