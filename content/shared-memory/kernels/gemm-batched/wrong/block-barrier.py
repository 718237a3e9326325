from numba import cuda, float32

WARPS = 8
SIDE = 16
EACH = 8


@cuda.jit
def batched(a, b, c):
    sa = cuda.shared.array((WARPS, SIDE, SIDE), float32)
    sb = cuda.shared.array((WARPS, SIDE, SIDE), float32)
    total = cuda.local.array(EACH, float32)
    lane = cuda.threadIdx.x
    warp = cuda.threadIdx.y
    which = cuda.blockIdx.x * WARPS + warp
    n = a.shape[1]
    for e in range(lane, SIDE * SIDE, 32):
        y = e // SIDE
        x = e % SIDE
        inside = which < a.shape[0] and y < n and x < n
        sa[warp, y, x] = a[which, y, x] if inside else float32(0.0)
        sb[warp, y, x] = b[which, y, x] if inside else float32(0.0)
    cuda.syncthreads()
    column = lane % SIDE
    top = lane // SIDE
    for j in range(EACH):
        total[j] = float32(0.0)
    for p in range(SIDE):
        own = sb[warp, p, column]
        for j in range(EACH):
            total[j] += sa[warp, top + 2 * j, p] * own
    for j in range(EACH):
        row = top + 2 * j
        if which < a.shape[0] and row < n and column < n:
            c[which, row, column] = total[j]
