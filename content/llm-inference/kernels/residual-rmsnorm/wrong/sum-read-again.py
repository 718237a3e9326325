import math

from numba import cuda, float32

THREADS = 256


@cuda.jit
def add_rmsnorm(x, residual, weight, eps, out):
    part = cuda.shared.array(8, float32)
    columns = x.shape[1]
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    total = float32(0.0)
    for c in range(t, columns, THREADS):
        v = x[r, c] + residual[r, c]
        residual[r, c] = v
        total += v * v
    for step in (16, 8, 4, 2, 1):
        total += cuda.shfl_xor_sync(0xFFFFFFFF, total, step)
    if t % 32 == 0:
        part[t // 32] = total
    cuda.syncthreads()
    total = float32(0.0)
    for w in range(8):
        total += part[w]
    scale = float32(1.0) / math.sqrt(total / float32(columns) + eps)
    for c in range(t, columns, THREADS):
        out[r, c] = residual[r, c] * scale * weight[c]
