import math

from numba import cuda, float32


@cuda.jit(device=True)
def merge(top, total, other, more):
    larger = max(top, other)
    return larger, total * math.exp(top - larger) + more * math.exp(other - larger)


@cuda.jit
def softmax(x, out):
    tops = cuda.shared.array(8, float32)
    sums = cuda.shared.array(8, float32)
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    n = x.shape[1]
    top = float32(-1e30)
    total = float32(0)
    for c in range(t, n, cuda.blockDim.x):
        top, total = merge(top, total, x[r, c], float32(1))
    for step in (16, 8, 4, 2, 1):
        other = cuda.shfl_xor_sync(0xFFFFFFFF, top, step)
        more = cuda.shfl_xor_sync(0xFFFFFFFF, total, step)
        top, total = merge(top, total, other, more)
    if t % 32 == 0:
        tops[t // 32] = top
        sums[t // 32] = total
    cuda.syncthreads()
    top = tops[0]
    total = sums[0]
    for w in range(1, 8):
        top, total = merge(top, total, tops[w], sums[w])
    factor = float32(1) / total
    for c in range(t, n, cuda.blockDim.x):
        out[r, c] = math.exp(x[r, c] - top) * factor
