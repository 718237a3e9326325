from numba import cuda, float32

SIDE = 16
EACH = 4
TILE = SIDE * EACH
DEEP = 8


@cuda.jit
def matmul(a, b, c):
    sa = cuda.shared.array((TILE, DEEP), float32)
    sb = cuda.shared.array((DEEP, TILE), float32)
    total = cuda.local.array((EACH, EACH), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    top = cuda.blockIdx.y * TILE
    left = cuda.blockIdx.x * TILE
