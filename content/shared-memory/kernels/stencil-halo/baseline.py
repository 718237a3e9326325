from numba import cuda, float32

SIZE = 256
RADIUS = 4


@cuda.jit
def stencil(a, out):
    i = cuda.blockIdx.x * SIZE + cuda.threadIdx.x
    if i < a.size:
        x = float32(0.0)
        for j in range(max(i - RADIUS, 0), min(i + RADIUS + 1, a.size)):
            x += a[j]
        out[i] = x
