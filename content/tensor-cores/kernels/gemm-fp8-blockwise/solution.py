import numpy as np
from numba import cuda, float32
from numba.cuda import libdevice

TILE = 32
PITCH = TILE + 1
ROWS = 8


@cuda.jit(device=True)
def e4m3(code):
    # The sign, exponent and mantissa at their places in a float32, too small by 2**120.
    bits = (np.int32(code) & 0x80) << 24 | (np.int32(code) & 0x7F) << 20
    return libdevice.int_as_float(np.int32(bits)) * float32(2.0**120)


@cuda.jit
def matmul(a, a_scales, b, b_scales, c):
    sa = cuda.shared.array((TILE, TILE), float32)
    sb = cuda.shared.array((TILE, PITCH), float32)
    m, blocks = a_scales.shape
    n = b.shape[0]
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    top = cuda.blockIdx.y * TILE
    left = cuda.blockIdx.x * TILE
    sums = cuda.local.array(4, float32)
    parts = cuda.local.array(4, float32)
    for j in range(4):
        sums[j] = float32(0.0)
    for block in range(blocks):
        for j in range(4):
            parts[j] = float32(0.0)
        for step in range(4):
            p = 128 * block + TILE * step + tx
            for row in range(ty, TILE, ROWS):
                sa[row, tx] = e4m3(a[top + row, p]) if top + row < m else float32(0.0)
                sb[row, tx] = e4m3(b[left + row, p]) if left + row < n else float32(0.0)
            cuda.syncthreads()
            for i in range(TILE):
                other = sb[tx, i]
                for j in range(4):
                    parts[j] += sa[ty + j * ROWS, i] * other
            cuda.syncthreads()
        scale = b_scales[left // 128, block]
        for j in range(4):
            row = top + ty + j * ROWS
            if row < m:
                sums[j] += a_scales[row, block] * scale * parts[j]
    for j in range(4):
        row = top + ty + j * ROWS
        if row < m and left + tx < n:
            c[row, left + tx] = sums[j]
