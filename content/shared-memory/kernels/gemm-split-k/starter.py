from numba import cuda, float32, int32

TILE = 16


@cuda.jit
def matmul(a, b, parts, arrived, c):
    sa = cuda.shared.array((TILE, TILE), float32)
    sb = cuda.shared.array((TILE, TILE), float32)
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
