from numba import cuda, int32

SIZE = 256
WARPS = 8
DIGITS = 16
LIMITS = DIGITS + 1
FULL = 0xFFFFFFFF


@cuda.jit
def sort_digit(keys, shift, out, counts):
    s = cuda.shared.array(SIZE, int32)
    ones = cuda.shared.array(WARPS, int32)
    first = cuda.shared.array(LIMITS, int32)
    t = cuda.threadIdx.x
    lane = t % 32
    warp = t // 32
    start = cuda.blockIdx.x * SIZE
    count = min(SIZE, keys.size - start)
    key = keys[start + t] if t < count else int32(0)
    for b in range(4):
        one = key >> (shift + b) & 1
        votes = cuda.ballot_sync(FULL, one)
        if lane == 0:
            ones[warp] = cuda.popc(votes)
        cuda.syncthreads()
        before = int32(cuda.popc(votes & cuda.lanemask_lt()))
        total = 0
        for w in range(WARPS):
            if w < warp:
                before += ones[w]
            total += ones[w]
        if t < count:
            s[count - total + before if one else t - before] = key
        cuda.syncthreads()
        key = s[t] if t < count else int32(0)
    if t < LIMITS:
        first[t] = count
    cuda.syncthreads()
    digit = key >> shift & 15
    if t < count:
        out[start + t] = key
        before = (s[t - 1] >> shift & 15) if t > 0 else -1
        for d in range(before + 1, digit + 1):
            first[d] = t
    cuda.syncthreads()
    if t < DIGITS:
        counts[cuda.blockIdx.x, t] = first[t + 1] - first[t]
