from numba import cuda, float32

SIZE = 256
WIDTH = SIZE + 8


@cuda.jit
def stencil(a, out):
    s = cuda.shared.array(WIDTH, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    n = a.shape[0]
    value = float32(0)
    if i < n:
        value = a[i]
    s[t + 4] = value
    if t < 4:
        value = float32(0)
        if i >= 4:
            value = a[i - 4]
        s[t] = value
    elif t < 8:
        value = float32(0)
        if i - 4 + SIZE < n:
            value = a[i - 4 + SIZE]
        s[t + SIZE] = value
    cuda.syncthreads()
    if i < n:
        out[i] = (
            s[t] + s[t + 1] + s[t + 2] + s[t + 3] + s[t + 4]
            + s[t + 5] + s[t + 6] + s[t + 7] + s[t + 8]
        )  # fmt: skip
