import numpy as np
from numba import cuda, float32

MOST = 4096


@cuda.jit
def gemv(w, scales, x, y):
    xs = cuda.shared.array(MOST, np.float16)
    lane = cuda.threadIdx.x
    warp = cuda.threadIdx.y
    r = cuda.blockIdx.x * 8 + warp
    for c in range(warp * 32 + lane, x.size, 256):
        xs[c] = x[c]
    cuda.syncthreads()
    if r >= w.shape[0]:
        return
    s = float32(0)
    for g in range(scales.shape[1]):
        scale = scales[r, g]
        first = 64 * g + lane
        dot = float32(0)
        for c in range(first, first + 64, 32):
            dot += float32(w[r, c]) * float32(xs[c])
        s += scale * dot
    for offset in (16, 8, 4, 2, 1):
        s += cuda.shfl_down_sync(0xFFFFFFFF, s, offset)
    if lane == 0:
        y[r] = s
