from numba import cuda, float32

TILE = 32


@cuda.jit
def matmul(a, b, c):
    sa = cuda.shared.array((TILE, TILE), float32)
    sb = cuda.shared.array((TILE, TILE), float32)
    m, k = a.shape
    n = b.shape[0]
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    row = cuda.blockIdx.y * TILE + ty
    left = cuda.blockIdx.x * TILE
    total = float32(0.0)
    for start in range(0, k, TILE):
        inside = row < m and start + tx < k
        sa[ty, tx] = a[row, start + tx] if inside else float32(0.0)
        inside = left + ty < n and start + tx < k
        sb[ty, tx ^ ty] = b[left + ty, start + tx] if inside else float32(0.0)
        cuda.syncthreads()
        for i in range(TILE):
            total += sa[ty, i] * sb[tx, i ^ tx]
        cuda.syncthreads()
    if row < m and left + tx < n:
        c[row, left + tx] = total
