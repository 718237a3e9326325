import numpy as np
from numba import cuda, float32

LONGEST = 256


@cuda.jit
def scores_of(q, cache, table, lengths, scores):
    query = cuda.shared.array(LONGEST, float32)
    lane = cuda.threadIdx.x
    t = cuda.threadIdx.y * 32 + lane
    seq = cuda.blockIdx.y
    p = cuda.blockIdx.x * 8 + cuda.threadIdx.y
    dim = q.shape[1]
    for d in range(t, dim, 256):
        query[d] = float32(q[seq, d])
    cuda.syncthreads()
    s = float32(0)
    if p < lengths[seq]:
        page = table[seq, p // 16]
        for d in range(lane, dim, 32):
            s += query[d] * float32(cache[page, p % 16, d])
    for offset in (16, 8, 4, 2, 1):
        s += cuda.shfl_down_sync(np.uint32(0xFFFFFFFF), s, offset)
    if lane == 0:
        scores[seq, p] = s
