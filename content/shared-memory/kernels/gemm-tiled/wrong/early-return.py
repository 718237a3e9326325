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
    if row >= m or column >= n:
        return
    total = float32(0.0)
    for start in range(0, k, TILE):
        x = start + tx
        y = start + ty
        sa[ty, tx] = a[row, x] if x < k else float32(0.0)
        sb[ty, tx] = b[y, column] if y < k else float32(0.0)
        cuda.syncthreads()
        for i in range(TILE):
            total += sa[ty, i] * sb[i, tx]
        cuda.syncthreads()
    c[row, column] = total
