import numpy as np
from numba import cuda, float32
from numba.cuda import libdevice

ALL = 0xFFFFFFFF
MOST_WORDS = 512
TWICE = 0xC8643210  # 2 · |E2M1|: four bits for each of the eight codes


@cuda.jit(device=True)
def twice(word, n):
    """Twice the value of code n of a word."""
    code = word >> (4 * n)
    size = float32((TWICE >> (4 * (code & 7))) & 15)
    return -size if code & 8 else size


@cuda.jit(device=True)
def e4m3(code):
    # Exponent and mantissa at their places in a float32, too small by 2**120.
    return libdevice.int_as_float(np.int32(code) << 20) * float32(2.0**120)


@cuda.jit
def gemv(w, w_scales, x, x_scales, y):
    xs = cuda.shared.array((8, MOST_WORDS), float32)
    rows, words = w.shape
    lane = cuda.threadIdx.x
    r = cuda.blockIdx.x * 8 + cuda.threadIdx.y
    for at in range(cuda.threadIdx.y * 32 + lane, words, 256):
        word = x[at]
        scale = e4m3(x_scales[at // 2])
        for n in range(8):
            xs[n, at] = twice(word, n) * scale
    cuda.syncthreads()
    if r >= rows:
        return
    total = float32(0.0)
    for at in range(lane, words, 32):
        word = w[r, at]
        inner = float32(0.0)
        for n in range(8):
            inner += twice(word, n) * xs[n, at]
        total += e4m3(w_scales[r, at // 2]) * inner
    for step in (16, 8, 4, 2, 1):
        total += cuda.shfl_xor_sync(ALL, total, step)
    if lane == 0:
        y[r] = total * float32(0.25)
