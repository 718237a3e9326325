from numba import cuda, float32

SIZE = 256
WIDTH = SIZE + 8


@cuda.jit
def stencil(a, out):
    s = cuda.shared.array(WIDTH, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * SIZE - 4
    for j in range(t, WIDTH, SIZE):
        if 0 <= first + j < a.size:
            s[j] = a[first + j]
        else:
            s[j] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < a.size:
        x = float32(0)
        for k in range(9):
            x += s[t + k]
        out[i] = x
