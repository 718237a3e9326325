import math

from numba import cuda, float32

ALL = 0xFFFFFFFF


@cuda.jit
def attention(q, k, v, scale, out):
    lane = cuda.threadIdx.x
    i = cuda.blockIdx.x * 4 + cuda.threadIdx.y
    h = cuda.blockIdx.y
    dim = q.shape[2]
    if i >= q.shape[0]:
        return
    g = h // (q.shape[1] // k.shape[1])
    q0 = float32(0.0)
    q1 = float32(0.0)
    if lane < dim:
        q0 = q[i, h, lane] * scale
    if lane + 32 < dim:
        q1 = q[i, h, lane + 32] * scale
    top = float32(-math.inf)
    total = float32(0.0)
    acc0 = float32(0.0)
    acc1 = float32(0.0)
    past = k.shape[0] - q.shape[0]
    for j in range(k.shape[0]):
        score = float32(0.0)
        if lane < dim:
            score = q0 * k[j, g, lane]
        if lane + 32 < dim:
            score += q1 * k[j, g, lane + 32]
        for step in (16, 8, 4, 2, 1):
            score += cuda.shfl_xor_sync(ALL, score, step)
        if j > past + i:
            score = float32(-math.inf)
        new = max(top, score)
        fade = math.exp(top - new)
        p = math.exp(score - new)
        top = new
        total = total * fade + p
        if lane < dim:
            acc0 = acc0 * fade + p * v[j, g, lane]
        if lane + 32 < dim:
            acc1 = acc1 * fade + p * v[j, g, lane + 32]
    if lane < dim:
        out[i, h, lane] = acc0 / total
    if lane + 32 < dim:
        out[i, h, lane + 32] = acc1 / total
