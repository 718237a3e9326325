from numba import cuda, float32


@cuda.jit(max_registers=24)
def spill(a, out):
    i = cuda.grid(1)
    s = cuda.local.array(40, float32)
    for j in range(40):
        s[j] = a[i * 40 + j]
    for j in range(40):
        out[i * 40 + j] = s[39 - j] * s[j] + s[(j * 7) % 40]
