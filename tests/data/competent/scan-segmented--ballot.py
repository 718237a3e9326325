from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def scan(a, flags, out):
    """Finds the start of each lane's segment by ballot; then a plain scan that stops there."""
    totals = cuda.shared.array(8, float32)
    open_ = cuda.shared.array(8, float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * 256 + t
    lane = t & 31
    w = t >> 5
    inside = i < a.size
    x = a[i] if inside else float32(0)
    start = inside and flags[i] != 0
    votes = cuda.ballot_sync(FULL, start)
    below = votes & ((2 << lane) - 1)
    first = 0
    if below != 0:
        first = lane
        while ((below >> first) & 1) == 0:
            first -= 1
    d = 1
    while d < 32:
        y = cuda.shfl_up_sync(FULL, x, d)
        if lane - d >= first:
            x += y
        d *= 2
    if lane == 31:
        totals[w] = x
        open_[w] = 1 if votes == 0 else 0
    cuda.syncthreads()
    if below == 0:
        p = w - 1
        more = float32(0)
        while p >= 0:
            more += totals[p]
            if open_[p] == 0:
                break
            p -= 1
        x += more
    if inside:
        out[i] = x
