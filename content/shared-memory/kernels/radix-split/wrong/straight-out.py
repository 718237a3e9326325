from numba import cuda, int32

SIZE = 256
WARPS = SIZE // 32
FULL = 0xFFFFFFFF


@cuda.jit
def split(keys, out, bit):
    ones = cuda.shared.array(WARPS, int32)
    t = cuda.threadIdx.x
    lane = t % 32
    warp = t // 32
    start = cuda.blockIdx.x * SIZE
    count = min(SIZE, keys.size - start)
    key = keys[start + t] if t < count else int32(0)
    one = key >> bit & 1
    votes = cuda.ballot_sync(FULL, one)
    if lane == 0:
        ones[warp] = cuda.popc(votes)
    cuda.syncthreads()
    before = cuda.popc(votes & ((1 << lane) - 1))
    total = 0
    for w in range(WARPS):
        if w < warp:
            before += ones[w]
        total += ones[w]
    if t < count:
        place = count - total + before if one else t - before
        out[start + place] = key
