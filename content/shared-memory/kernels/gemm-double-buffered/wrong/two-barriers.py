from numba import cuda, float32

TILE = 16


@cuda.jit
def matmul(a, b, c):
    sa = cuda.shared.array((TILE, TILE), float32)
    sb = cuda.shared.array((TILE, TILE), float32)
    m, k = a.shape
    n = b.shape[1]
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    row = cuda.blockIdx.y * TILE + ty
    column = cuda.blockIdx.x * TILE + tx
    total = float32(0.0)
    for start in range(0, k, TILE):
        inside = row < m and start + tx < k
        sa[ty, tx] = a[row, start + tx] if inside else float32(0.0)
        inside = start + ty < k and column < n
        sb[ty, tx] = b[start + ty, column] if inside else float32(0.0)
        cuda.syncthreads()
        for i in range(TILE):
            total += sa[ty, i] * sb[i, tx]
        cuda.syncthreads()
    if row < m and column < n:
        c[row, column] = total
