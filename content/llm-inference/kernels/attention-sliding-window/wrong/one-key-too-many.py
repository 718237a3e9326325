import math

from numba import cuda, float32

ALL = 0xFFFFFFFF


@cuda.jit
def attention(q, k, v, scale, slope, window, sinks, out):
    lane = cuda.threadIdx.x
    i = cuda.blockIdx.x * 4 + cuda.threadIdx.y
    n, dim = q.shape
    if i >= n:
        return
    low = lane < dim
    high = lane + 32 < dim
    q0 = q[i, lane] * scale if low else float32(0.0)
    q1 = q[i, lane + 32] * scale if high else float32(0.0)
    top = float32(-math.inf)
    total = float32(0.0)
    acc0 = float32(0.0)
    acc1 = float32(0.0)
    first = max(i - window, 0)
    kept = min(sinks, first)
    for t in range(kept + i - first + 1):
        j = t if t < kept else first + t - kept
        score = q0 * k[j, lane] if low else float32(0.0)
        if high:
            score += q1 * k[j, lane + 32]
        for step in (16, 8, 4, 2, 1):
            score += cuda.shfl_xor_sync(ALL, score, step)
        score -= slope * float32(i - j)

        largest = max(top, score)
        fade = math.exp(top - largest)
        p = math.exp(score - largest)
        top = largest
        total = total * fade + p
        if low:
            acc0 = acc0 * fade + p * v[j, lane]
        if high:
            acc1 = acc1 * fade + p * v[j, lane + 32]
    if low:
        out[i, lane] = acc0 / total
    if high:
        out[i, lane + 32] = acc1 / total
