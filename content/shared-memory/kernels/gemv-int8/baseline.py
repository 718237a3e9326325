from numba import cuda, float32

WARPS = 8
GROUP = 64
ALL = 0xFFFFFFFF


@cuda.jit
def gemv(w, scales, x, y):
    rows, columns = w.shape
    lane = cuda.threadIdx.x
    row = cuda.blockIdx.x * WARPS + cuda.threadIdx.y
    if row >= rows:
        return
    each = columns // 32
    total = float32(0.0)
    for c in range(lane * each, lane * each + each):
        total += float32(w[row, c]) * float32(x[c]) * scales[row, c // GROUP]
    offset = 16
    while offset > 0:
        total += cuda.shfl_down_sync(ALL, total, offset)
        offset //= 2
    if lane == 0:
        y[row] = total
