from numba import cuda, int32, int64, uint32

SIZE = 256
WARPS = 8
DIGITS = 16
COUNTERS = DIGITS * WARPS
FULL = 0xFFFFFFFF


@cuda.jit
def sort_digit(keys, shift, out, counts):
    places = cuda.shared.array(COUNTERS, int32)
    ordered = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    lane = t % 32
    warp = t // 32
    start = cuda.blockIdx.x * SIZE
    count = min(SIZE, keys.size - start)
    if t < COUNTERS:
        places[t] = 0
    cuda.syncthreads()
    key = keys[start + t] if t < count else int32(0)
    digit = key >> shift & 15
    same = int64(uint32(cuda.ballot_sync(FULL, t < count)))
    for b in range(4):
        bit = digit >> b & 1
        votes = cuda.ballot_sync(FULL, bit)
        same &= votes if bit else ~votes
    rank = cuda.popc(same & ((1 << lane) - 1))
    if t < count and rank == 0:
        places[digit * WARPS + warp] = cuda.popc(same)
    cuda.syncthreads()
    if warp == 0:
        carry = int32(0)
        for first in range(0, COUNTERS, 32):
            own = places[first + lane]
            x = own
            d = 1
            while d < 32:
                below = cuda.shfl_up_sync(FULL, x, d)
                if lane >= d:
                    x = int32(x + below)
                d *= 2
            places[first + lane] = carry + x - own
            carry = int32(carry + cuda.shfl_sync(FULL, x, 31))
    cuda.syncthreads()
    if t < count:
        ordered[places[digit * WARPS + warp] + rank] = key
    if t < DIGITS:
        end = places[(t + 1) * WARPS] if t < DIGITS - 1 else count
        counts[cuda.blockIdx.x, t] = end - places[t * WARPS]
    if t < count:
        out[start + t] = ordered[t]
