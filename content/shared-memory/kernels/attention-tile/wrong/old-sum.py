import math

import numpy as np
from numba import cuda, float32

TILE = 32
PITCH = TILE + 2
WARPS = 8
ALL = 0xFFFFFFFF
LOWEST = -3.0e38


@cuda.jit
def attention(q, k, v, scale, out):
    keys = cuda.shared.array((TILE, PITCH), np.float16)
    values = cuda.shared.array((TILE, TILE), np.float16)
    lane = cuda.threadIdx.x
    warp = cuda.threadIdx.y
    row = cuda.blockIdx.x * WARPS + warp
    mine = float32(0.0)
    if row < q.shape[0]:
        mine = float32(q[row, lane]) * scale
    top = float32(LOWEST)
    total = float32(0.0)
    acc = float32(0.0)
    for start in range(0, k.shape[0], TILE):
        count = min(TILE, k.shape[0] - start)
        for i in range(warp, count, WARPS):
            keys[i, lane] = k[start + i, lane]
            values[i, lane] = v[start + i, lane]
        cuda.syncthreads()
        score = float32(0.0)
        for d in range(TILE):
            a = cuda.shfl_sync(ALL, mine, d)
            if lane < count:
                score += a * float32(keys[lane, d])
        if lane >= count:
            score = float32(LOWEST)
        new = max(top, score)
        for step in (16, 8, 4, 2, 1):
            new = max(new, cuda.shfl_xor_sync(ALL, new, step))
        p = math.exp(score - new)
        fade = math.exp(top - new)
        top = new
        part = p
        for step in (16, 8, 4, 2, 1):
            part += cuda.shfl_xor_sync(ALL, part, step)
        total = total + part
        acc *= fade
        for j in range(count):
            acc += cuda.shfl_sync(ALL, p, j) * float32(values[j, lane])
        cuda.syncthreads()
    if row < q.shape[0]:
        out[row, lane] = acc / total
