from numba import cuda, float32, int32

TILE = 16


@cuda.jit
def matmul(a, b, parts, arrived, c):
    sa = cuda.shared.array((TILE, TILE), float32)
    sb = cuda.shared.array((TILE, TILE), float32)
    last = cuda.shared.array(1, int32)
    m, k = a.shape
    n = b.shape[1]
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    row = cuda.blockIdx.y * TILE + ty
    column = cuda.blockIdx.x * TILE + tx
    splits = cuda.gridDim.z
    each = (k + splits - 1) // splits
    begin = cuda.blockIdx.z * each
    end = min(begin + each, k)
    total = float32(0.0)
    for start in range(begin, end, TILE):
        inside = row < m and start + tx < end
        sa[ty, tx] = a[row, start + tx] if inside else float32(0.0)
        inside = start + ty < end and column < n
        sb[ty, tx] = b[start + ty, column] if inside else float32(0.0)
        cuda.syncthreads()
        for i in range(TILE):
            total += sa[ty, i] * sb[i, tx]
        cuda.syncthreads()
    if row < m and column < n:
        parts[cuda.blockIdx.z, row, column] = total
    cuda.threadfence()
    cuda.syncthreads()
    if tx == 0 and ty == 0:
        before = cuda.atomic.inc(arrived, (cuda.blockIdx.y, cuda.blockIdx.x), splits - 1)
        last[0] = 1 if before == splits - 1 else 0
    cuda.syncthreads()
    if last[0] == 0:
        return
    cuda.threadfence()
    if row < m and column < n:
        total = float32(0.0)
        for z in range(splits):
            total += parts[z, row, column]
        c[row, column] = total
