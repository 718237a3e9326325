import math

from numba import cuda, float32

WARPS = 8
ALL = 0xFFFFFFFF
LOWEST = -3.0e38


@cuda.jit
def cross_entropy(logits, labels, loss):
    rows, classes = logits.shape
    lane = cuda.threadIdx.x
    row = cuda.blockIdx.x * WARPS + cuda.threadIdx.y
    if row >= rows:
        return
    top = float32(LOWEST)
    total = float32(0.0)
    for c in range(lane, classes, 32):
        v = float32(logits[row, c])
        if v > top:
            total *= math.exp(top - v)
            top = v
        total += math.exp(v - top)
    for step in (16, 8, 4, 2, 1):
        other = cuda.shfl_xor_sync(ALL, top, step)
        more = cuda.shfl_xor_sync(ALL, total, step)
        total += more
        top = max(top, other)
    if lane == 0:
        loss[row] = math.log(total) + top - float32(logits[row, labels[row]])
