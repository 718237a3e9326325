import math

from numba import cuda, float32

THREADS = 128
WARPS = THREADS // 32
LONGEST = 1024
ALL = 0xFFFFFFFF


@cuda.jit(device=True)
def block_sum(value, part):
    t = cuda.threadIdx.x
    offset = 16
    while offset > 0:
        value += cuda.shfl_down_sync(ALL, value, offset)
        offset //= 2
    if t % 32 == 0:
        part[t // 32] = value
    cuda.syncthreads()
    total = float32(0.0)
    for w in range(WARPS):
        total += part[w]
    cuda.syncthreads()
    return total


@cuda.jit
def layer_norm(x, weight, bias, eps, out):
    row = cuda.shared.array(LONGEST, float32)
    part = cuda.shared.array(WARPS, float32)
    columns = x.shape[1]
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    s = float32(0.0)
    for c in range(t, columns, THREADS):
        row[c] = x[r, c]
        s += row[c]
    mean = block_sum(s, part) / float32(columns)
    s = float32(0.0)
    for c in range(t, columns, THREADS):
        d = row[c] - mean
        s += d * d
    variance = block_sum(s, part) / float32(columns)
    scale = float32(1.0) / math.sqrt(variance + eps)
    for c in range(t, columns, THREADS):
        out[r, c] = (row[c] - mean) * scale * weight[c] + bias[c]
