from numba import cuda, float32

TILE = 16
CELLS = TILE * TILE


@cuda.jit
def matmul(a, b, c):
    sa = cuda.shared.array(CELLS, float32)
    sb = cuda.shared.array(CELLS, float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    column, row = cuda.grid(2)
    total = float32(0)
    for step in range((a.shape[1] + TILE - 1) // TILE):
        x = step * TILE + tx
        y = step * TILE + ty
        sa[ty * TILE + tx] = 0
        sb[ty * TILE + tx] = 0
        if row < a.shape[0] and x < a.shape[1]:
            sa[ty * TILE + tx] = a[row, x]
        if y < b.shape[0] and column < b.shape[1]:
            sb[ty * TILE + tx] = b[y, column]
        cuda.syncthreads()
        for p in range(TILE):
            total += sa[ty * TILE + p] * sb[p * TILE + tx]
        cuda.syncthreads()
    if row < c.shape[0] and column < c.shape[1]:
        c[row, column] = total
