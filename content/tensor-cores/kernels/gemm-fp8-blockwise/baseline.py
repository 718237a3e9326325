import numpy as np
from numba import cuda, float32
from numba.cuda import libdevice

TILE = 32
PITCH = TILE + 4
ROWS = 8


@cuda.jit(device=True)
def e4m3(code):
    bits = (np.int32(code) & 0x80) << 24 | (np.int32(code) & 0x7F) << 20
    return libdevice.int_as_float(np.int32(bits)) * float32(2.0**120)


@cuda.jit
def matmul(a, a_scales, b, b_scales, c):
    # Tiles of codes: each is decoded for every product.
    sa = cuda.shared.array((TILE, TILE), np.uint8)
    sb = cuda.shared.array((TILE, PITCH), np.uint8)
    m, k = a.shape
    n = b.shape[0]
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    top = cuda.blockIdx.y * TILE
    left = cuda.blockIdx.x * TILE
    sums = cuda.local.array(4, float32)
    for j in range(4):
        sums[j] = float32(0.0)
    for start in range(0, k, TILE):
        for row in range(ty, TILE, ROWS):
            sa[row, tx] = a[top + row, start + tx] if top + row < m else np.uint8(0)
            sb[row, tx] = b[left + row, start + tx] if left + row < n else np.uint8(0)
        cuda.syncthreads()
        for j in range(4):
            part = float32(0.0)
            for i in range(TILE):
                part += e4m3(sa[ty + j * ROWS, i]) * e4m3(sb[tx, i])
            row = top + ty + j * ROWS
            if row < m:
                scale = a_scales[row, start // 128] * b_scales[left // 128, start // 128]
                sums[j] += scale * part
        cuda.syncthreads()
    for j in range(4):
        row = top + ty + j * ROWS
        if row < m and left + tx < n:
            c[row, left + tx] = sums[j]
