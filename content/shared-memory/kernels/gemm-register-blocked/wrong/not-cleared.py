from numba import cuda, float32

SIDE = 16
EACH = 4
TILE = SIDE * EACH
DEEP = 8


@cuda.jit
def matmul(a, b, c):
    sa = cuda.shared.array((TILE, DEEP), float32)
    sb = cuda.shared.array((DEEP, TILE), float32)
    total = cuda.local.array((EACH, EACH), float32)
    line = cuda.local.array(EACH, float32)
    m, k = a.shape
    n = b.shape[1]
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    t = ty * SIDE + tx
    top = cuda.blockIdx.y * TILE
    left = cuda.blockIdx.x * TILE
    for start in range(0, k, DEEP):
        for e in range(t, TILE * DEEP, SIDE * SIDE):
            y = e // DEEP
            z = e % DEEP
            inside = top + y < m and start + z < k
            sa[y, z] = a[top + y, start + z] if inside else float32(0.0)
        for e in range(t, DEEP * TILE, SIDE * SIDE):
            z = e // TILE
            x = e % TILE
            inside = start + z < k and left + x < n
            sb[z, x] = b[start + z, left + x] if inside else float32(0.0)
        cuda.syncthreads()
        for p in range(DEEP):
            for j in range(EACH):
                line[j] = sb[p, tx + j * SIDE]
            for i in range(EACH):
                own = sa[ty + i * SIDE, p]
                for j in range(EACH):
                    total[i, j] += own * line[j]
        cuda.syncthreads()
    for i in range(EACH):
        for j in range(EACH):
            row = top + ty + i * SIDE
            column = left + tx + j * SIDE
            if row < m and column < n:
                c[row, column] = total[i, j]
