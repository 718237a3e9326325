from numba import cuda, float32

TILE = 32


@cuda.jit
def matmul(a, b, c):
    # All tiles, also those above the diagonal.
    sa = cuda.shared.array((TILE, TILE), float32)
    sb = cuda.shared.array((TILE, TILE), float32)
    n = a.shape[0]
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    row = cuda.blockIdx.y * TILE + ty
    column = cuda.blockIdx.x * TILE + tx
    total = float32(0.0)
    for tile in range((n + TILE - 1) // TILE):
        k = tile * TILE + tx
        value = a[row, k] if row < n and k < n else float32(0.0)
        sa[ty, tx] = value if k <= row else float32(0.0)
        k = tile * TILE + ty
        value = b[k, column] if k < n and column < n else float32(0.0)
        sb[ty, tx] = value if column <= k else float32(0.0)
        cuda.syncthreads()
        for i in range(TILE):
            total += sa[ty, i] * sb[i, tx]
        cuda.syncthreads()
    if row < n and column < n:
        c[row, column] = total
