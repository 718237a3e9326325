from numba import cuda, float32


@cuda.jit
def scores_of(q, cache, table, lengths, scores):
    lane = cuda.threadIdx.x
    p = cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y
    s = cuda.blockIdx.y
    if p >= lengths[s]:
        if lane == 0:
            scores[s, p] = float32(0)
        return
    page = table[s, p >> 4]
    total = float32(0)
    d = lane
    while d < q.shape[1]:
        total += float32(q[s, d]) * float32(cache[page, p & 15, d])
        d += 32
    for mask in (16, 8, 4, 2, 1):
        total += cuda.shfl_xor_sync(0xFFFFFFFF, total, mask)
    if lane == 0:
        scores[s, p] = total
