import numpy as np
from numba import cuda, float32


@cuda.jit(device=True)
def level(word, n):
    code = np.int32(word >> np.uint32(4 * n))
    size = float32((2 + (code & 1)) << ((code & 7) >> 1)) * float32(0.25)
    if code & 6 == 0:
        size = float32(0.5) * float32(code & 1)
    return -size if code & 8 else size


@cuda.jit(device=True)
def scale_of(code):
    exponent, mantissa = np.int32(code) >> 3, np.int32(code) & 7
    if exponent == 0:
        return float32(mantissa) * float32(1 / 512)
    return float32(8 + mantissa) * float32(1 << exponent) * float32(1 / 1024)


@cuda.jit
def gemv(w, w_scales, x, x_scales, y):
    vector = cuda.shared.array(4096, float32)
    lane, warp = cuda.threadIdx.x, cuda.threadIdx.y
    columns = 8 * w.shape[1]
    for c in range(32 * warp + lane, columns, 256):
        vector[c] = level(x[c // 8], c % 8) * scale_of(x_scales[c // 16])
    cuda.syncthreads()
    row = 8 * cuda.blockIdx.x + warp
    if row < w.shape[0]:
        sum_ = float32(0.0)
        for at in range(lane, w.shape[1], 32):
            word, part = w[row, at], float32(0.0)
            for i in range(8):
                n = (i + lane // 4) % 8  # lanes four apart begin at another code
                part += level(word, n) * vector[8 * at + n]
            sum_ += part * scale_of(w_scales[row, at // 2])
        for step in (1, 2, 4, 8, 16):
            sum_ += cuda.shfl_down_sync(0xFFFFFFFF, sum_, step)
        if lane == 0:
            y[row] = sum_
