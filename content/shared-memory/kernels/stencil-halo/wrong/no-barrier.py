from numba import cuda, float32

SIZE = 256
RADIUS = 4
WIDTH = SIZE + 2 * RADIUS


@cuda.jit
def stencil(a, out):
    s = cuda.shared.array(WIDTH, float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * SIZE + t
    s[t + RADIUS] = a[i] if i < a.size else float32(0.0)
    if t < RADIUS:
        left = i - RADIUS
        s[t] = a[left] if left >= 0 else float32(0.0)
        right = i + SIZE
        s[t + RADIUS + SIZE] = a[right] if right < a.size else float32(0.0)
    if i < a.size:
        x = float32(0.0)
        for k in range(2 * RADIUS + 1):
            x += s[t + k]
        out[i] = x
