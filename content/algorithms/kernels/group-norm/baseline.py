import math

from numba import cuda, float32

THREADS = 256
WARPS = THREADS // 32
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
def group_norm(x, weight, bias, groups, eps, out):
    part = cuda.shared.array(WARPS, float32)
    pixels = x.shape[2]
    size = x.shape[1] // groups
    first = cuda.blockIdx.x * size
    b = cuda.blockIdx.y
    t = cuda.threadIdx.x
    count = size * pixels
    each = (count + THREADS - 1) // THREADS
    s = float32(0.0)
    for i in range(t * each, min(t * each + each, count)):
        s += x[b, first + i // pixels, i % pixels]
    mean = block_sum(s, part) / float32(count)
    s = float32(0.0)
    for i in range(t * each, min(t * each + each, count)):
        d = x[b, first + i // pixels, i % pixels] - mean
        s += d * d
    scale = float32(1.0) / math.sqrt(block_sum(s, part) / float32(count) + eps)
    for i in range(t * each, min(t * each + each, count)):
        c = first + i // pixels
        p = i % pixels
        out[b, c, p] = (x[b, c, p] - mean) * scale * weight[c] + bias[c]
