from numba import cuda, float32

WARPS = 8
GROUP = 64
LONGEST = 4096
ALL = 0xFFFFFFFF


@cuda.jit
def gemv(w, scales, x, y):
    xs = cuda.shared.array(LONGEST, float32)
    rows, columns = w.shape
    lane = cuda.threadIdx.x
    t = cuda.threadIdx.y * 32 + lane
    row = cuda.blockIdx.x * WARPS + cuda.threadIdx.y
    for c in range(t, columns, 32 * WARPS):
        xs[c] = float32(x[c])
    cuda.syncthreads()
    if row >= rows:
        return
    total = float32(0.0)
    for g in range(scales.shape[1]):
        c = g * GROUP + 2 * lane
        part = float32(w[row, c]) * xs[c] + float32(w[row, c + 1]) * xs[c + 1]
        total += part * scales[row, g]
    offset = 16
    while offset > 0:
        total += cuda.shfl_down_sync(ALL, total, offset)
        offset //= 2
    if lane == 0:
        y[row] = total
