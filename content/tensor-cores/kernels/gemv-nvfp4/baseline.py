import numpy as np
from numba import cuda, float32
from numba.cuda import libdevice

ALL = 0xFFFFFFFF
TWICE = 0xC8643210


@cuda.jit(device=True)
def twice(word, n):
    code = word >> (4 * n)
    size = float32((TWICE >> (4 * (code & 7))) & 15)
    return -size if code & 8 else size


@cuda.jit(device=True)
def e4m3(code):
    return libdevice.int_as_float(np.int32(code) << 20) * float32(2.0**120)


@cuda.jit
def gemv(w, w_scales, x, x_scales, y):
    # Every row decodes the vector again.
    rows, words = w.shape
    lane = cuda.threadIdx.x
    r = cuda.blockIdx.x * 8 + cuda.threadIdx.y
    if r >= rows:
        return
    total = float32(0.0)
    for at in range(lane, words, 32):
        inner = float32(0.0)
        for n in range(8):
            inner += twice(w[r, at], n) * twice(x[at], n)
        total += e4m3(w_scales[r, at // 2]) * e4m3(x_scales[at // 2]) * inner
    for step in (16, 8, 4, 2, 1):
        total += cuda.shfl_xor_sync(ALL, total, step)
    if lane == 0:
        y[r] = total * float32(0.25)
