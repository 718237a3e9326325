from numba import cuda, float32, int32

SIZE = 256


@cuda.jit
def scan(a, flags, out):
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * SIZE + t
    v = a[i] if i < a.size else float32(0.0)
