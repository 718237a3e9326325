from numba import cuda, float32

ROWS = 8


@cuda.jit
def sum_inner(x, out):
    parts = cuda.shared.array((ROWS, 32), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    o = cuda.blockIdx.y
    i = cuda.blockIdx.x * 32 + tx
    _, reduced, inner = x.shape
    total = float32(0.0)
    if i < inner:
        for r in range(ty, reduced, ROWS):
            total += x[o, r, i]
    parts[ty, tx] = total
    cuda.syncthreads()
    if ty == 0 and i < inner:
        for other in range(1, ROWS):
            total += parts[other, tx]
        out[o, i] = total
