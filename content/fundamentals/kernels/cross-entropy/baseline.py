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
    for c in range(lane, classes, 32):
        top = max(top, float32(logits[row, c]))
    for step in (16, 8, 4, 2, 1):
        top = max(top, cuda.shfl_xor_sync(ALL, top, step))
    total = float32(0.0)
    for c in range(lane, classes, 32):
        total += math.exp(float32(logits[row, c]) - top)
    for step in (16, 8, 4, 2, 1):
        total += cuda.shfl_xor_sync(ALL, total, step)
    if lane == 0:
        loss[row] = math.log(total) + top - float32(logits[row, labels[row]])
