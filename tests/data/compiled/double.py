from numba import cuda, float32


@cuda.jit
def scale(a, picks, out):
    i = cuda.grid(1)
    s = cuda.local.array(64, float32)
    for j in range(64):
        s[j] = 0
    for j in range(a.size):
        s[picks[j]] += a[j]
    for j in range(64):
        out[i * 64 + j] = s[j] * 0.1
