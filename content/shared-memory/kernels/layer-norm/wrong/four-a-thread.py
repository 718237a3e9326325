import math

from numba import cuda, float32

THREADS = 128
WARPS = THREADS // 32
EACH = 4
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
    own = cuda.local.array(EACH, float32)
    part = cuda.shared.array(WARPS, float32)
    columns = x.shape[1]
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    s = float32(0.0)
    for k in range(EACH):
        c = t + k * THREADS
        own[k] = x[r, c] if c < columns else float32(0.0)
        s += own[k]
    mean = block_sum(s, part) / float32(columns)
    s = float32(0.0)
    for k in range(EACH):
        d = own[k] - mean
        s += d * d if t + k * THREADS < columns else float32(0.0)
    variance = block_sum(s, part) / float32(columns)
    scale = float32(1.0) / math.sqrt(variance + eps)
    for k in range(EACH):
        c = t + k * THREADS
        if c < columns:
            out[r, c] = (own[k] - mean) * scale * weight[c] + bias[c]
