from numba import cuda, float32

TILE = 32
CELLS = TILE * TILE


@cuda.jit
def matmul(a, b, c):
    sa = cuda.shared.array(CELLS, float32)
    sb = cuda.shared.array(CELLS, float32)
    m, k = a.shape
    n = b.shape[0]
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    row = cuda.blockIdx.y * TILE + ty
    left = cuda.blockIdx.x * TILE
    total = float32(0.0)
    here = ty * TILE + tx
    swizzled = ty * TILE + (tx ^ ty)
    for start in range(0, k, TILE):
        inside = row < m and start + tx < k
        sa[here] = a[row, start + tx] if inside else float32(0.0)
        inside = left + ty < n and start + tx < k
        sb[swizzled] = b[left + ty, start + tx] if inside else float32(0.0)
        cuda.syncthreads()
        for i in range(TILE):
            total += sa[ty * TILE + i] * sb[(tx * TILE + tx) ^ i]
        cuda.syncthreads()
    if row < m and left + tx < n:
        c[row, left + tx] = total
