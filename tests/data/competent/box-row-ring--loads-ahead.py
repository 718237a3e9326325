from numba import cuda, float32

SIZE = 128
STRIP = 32
STAGES = 4
WIDTH = SIZE + 2


@cuda.jit
def box(a, out):
    ring = cuda.shared.array((STAGES, WIDTH), float32)
    t = cuda.threadIdx.x
    start = cuda.blockIdx.x * SIZE
    c = start + t
    first = cuda.blockIdx.y * STRIP
    rows, columns = a.shape
    last = min(first + STRIP, rows)
    for k in range(3):
        r = first - 1 + k
        for j in range(t, WIDTH, SIZE):
            x = start + j - 1
            inside = 0 <= r < rows and 0 <= x < columns
            ring[k, j] = a[r, x] if inside else float32(0.0)
    cuda.syncthreads()
    for r in range(first, last):
        k = r - first
        ahead = r + 2
        mine = float32(0.0)
        mine2 = float32(0.0)
        x = start + t - 1
        if ahead < rows and ahead <= last:
            if 0 <= x < columns:
                mine = a[ahead, x]
            if t < 2 and x + SIZE < columns:
                mine2 = a[ahead, x + SIZE]
        total = float32(0.0)
        for i in range(k, k + 3):
            total += ring[i % STAGES, t] + ring[i % STAGES, t + 1] + ring[i % STAGES, t + 2]
        if c < columns:
            out[r, c] = total
        ring[(k + 3) % STAGES, t] = mine
        if t < 2:
            ring[(k + 3) % STAGES, t + SIZE] = mine2
        cuda.syncthreads()
