from numba import cuda, float32

SIZE = 128
STRIP = 32
STAGES = 4
WIDTH = SIZE + 2


@cuda.jit(device=True)
def element(a, r, c):
    if 0 <= r < a.shape[0] and 0 <= c < a.shape[1]:
        return a[r, c]
    return float32(0.0)


@cuda.jit(device=True)
def load_row(ring, a, r, c, t):
    stage = (r + STAGES) % STAGES
    ring[stage, t + 1] = element(a, r, c)
    if t == 0:
        ring[stage, 0] = element(a, r, c - 1)
    if t == SIZE - 1:
        ring[stage, SIZE + 1] = element(a, r, c + 1)


@cuda.jit
def box(a, out):
    ring = cuda.shared.array((STAGES, WIDTH), float32)
    t = cuda.threadIdx.x
    c = cuda.blockIdx.x * SIZE + t
    first = cuda.blockIdx.y * STRIP
    last = min(first + STRIP, a.shape[0])
    load_row(ring, a, first - 1, c, t)
    load_row(ring, a, first, c, t)
    for r in range(first, last):
        load_row(ring, a, r + 1, c, t)
        total = float32(0.0)
        for k in range(-1, 2):
            stage = (r + k + STAGES) % STAGES
            total += ring[stage, t] + ring[stage, t + 1] + ring[stage, t + 2]
        if c < a.shape[1]:
            out[r, c] = total
