from numba import cuda, float32

TILE = 16


@cuda.jit
def matmul(a, b, c):
    sa = cuda.shared.array((2, TILE, TILE), float32)
    sb = cuda.shared.array((2, TILE, TILE), float32)
    m, k = a.shape
    n = b.shape[1]
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    row = cuda.blockIdx.y * TILE + ty
    column = cuda.blockIdx.x * TILE + tx
    sa[0, ty, tx] = a[row, tx] if row < m and tx < k else float32(0.0)
    sb[0, ty, tx] = b[ty, column] if ty < k and column < n else float32(0.0)
    cuda.syncthreads()
    now = 0
    total = float32(0.0)
    for start in range(TILE, k + TILE, TILE):
        x = start + tx
        y = start + ty
        next_a = a[row, x] if row < m and x < k else float32(0.0)
        next_b = b[y, column] if y < k and column < n else float32(0.0)
        for i in range(TILE):
            total += sa[now, ty, i] * sb[now, i, tx]
        now = 1 - now
        sa[now, ty, tx] = next_a
        sb[now, ty, tx] = next_b
    if row < m and column < n:
        c[row, column] = total
