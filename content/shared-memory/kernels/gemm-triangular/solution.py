from numba import cuda, float32

TILE = 32


@cuda.jit
def matmul(a, b, c):
    sa = cuda.shared.array((TILE, TILE), float32)
    sb = cuda.shared.array((TILE, TILE), float32)
    n = a.shape[0]
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    row = cuda.blockIdx.y * TILE + ty
    column = cuda.blockIdx.x * TILE + tx
    total = float32(0.0)
    # From the column's diagonal tile of b to the row's of a: above the diagonal no tile.
    for tile in range(cuda.blockIdx.x, cuda.blockIdx.y + 1):
        k = tile * TILE + tx
        sa[ty, tx] = a[row, k] if row < n and k <= row else float32(0.0)
        k = tile * TILE + ty
        sb[ty, tx] = b[k, column] if k < n and column <= k else float32(0.0)
        cuda.syncthreads()
        for i in range(TILE):
            total += sa[ty, i] * sb[i, tx]
        cuda.syncthreads()
    if row < n and column < n:
        c[row, column] = total
