from numba import cuda, int32

ALL = 0xFFFFFFFF


@cuda.jit
def sort_digit(keys, shift, out, counts):
    votes_of = cuda.shared.array((8, 16), int32)
    s = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    lane = t % 32
    warp = t // 32
    start = cuda.blockIdx.x * 256
    here = start + t < keys.size
    key = int32(0)
    if here:
        key = keys[start + t]
    digit = key >> shift & 15
    rank = 0
    for d in range(16):
        votes = cuda.ballot_sync(ALL, here and digit == d)
        if digit == d:
            rank = cuda.popc(votes & ((1 << lane) - 1))
        if lane == d:
            votes_of[warp, d] = cuda.popc(votes)
    cuda.syncthreads()
    before = int32(0)
    total = int32(0)
    if lane < 16:
        for w in range(8):
            if w < warp:
                before = int32(before + votes_of[w, lane])
            total = int32(total + votes_of[w, lane])
    if warp == 0 and lane < 16:
        counts[cuda.blockIdx.x, lane] = total
    x = total
    for d in (1, 2, 4, 8):
        y = cuda.shfl_up_sync(ALL, x, d)
        if lane >= d:
            x = int32(x + y)
    place = cuda.shfl_sync(ALL, x - total + before, digit) + rank
    if here:
        s[place] = key
    cuda.syncthreads()
    if here:
        out[start + t] = s[t]
