from numba import cuda, float32

WARPS = 8
PAGE = 16
ALL = 0xFFFFFFFF


@cuda.jit
def scores_of(q, cache, table, lengths, scores):
    lane = cuda.threadIdx.x
    position = cuda.blockIdx.x * WARPS + cuda.threadIdx.y
    seq = cuda.blockIdx.y
    s = float32(0.0)
    if position < lengths[seq]:
        page = (seq * table.shape[1] + position // PAGE) % cache.shape[0]
        row = position % PAGE
        for d in range(lane, q.shape[1], 32):
            s += float32(q[seq, d]) * float32(cache[page, row, d])
        offset = 16
        while offset > 0:
            s += cuda.shfl_down_sync(ALL, s, offset)
            offset //= 2
    if lane == 0:
        scores[seq, position] = s
