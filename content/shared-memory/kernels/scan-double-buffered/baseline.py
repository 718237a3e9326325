from numba import cuda, float32

SIZE = 256


@cuda.jit
def scan(a, out):
    first = cuda.blockIdx.x * SIZE
    i = first + cuda.threadIdx.x
    if i < a.size:
        x = float32(0.0)
        for j in range(first, i + 1):
            x += a[j]
        out[i] = x
