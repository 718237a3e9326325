import math

from numba import cuda, float32

THREADS = 256
LONGEST = 2048


@cuda.jit
def add_rmsnorm(x, residual, weight, eps, out):
    row = cuda.shared.array(LONGEST, float32)
    columns = x.shape[1]
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    total = float32(0.0)
    for c in range(t, columns, THREADS):
        v = x[r, c] + residual[r, c]
        residual[r, c] = v
        row[c] = v
        total += v * v
    for step in (16, 8, 4, 2, 1):
        total += cuda.shfl_xor_sync(0xFFFFFFFF, total, step)
    scale = float32(1.0) / math.sqrt(total / float32(columns) + eps)
    for c in range(t, columns, THREADS):
        out[r, c] = row[c] * scale * weight[c]
