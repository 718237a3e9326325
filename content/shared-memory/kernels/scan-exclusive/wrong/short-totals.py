from numba import cuda, int16, int32

SIZE = 256
WARPS = SIZE // 32
FULL = 0xFFFFFFFF


@cuda.jit
def scan(a, out, sums):
    totals = cuda.shared.array(WARPS, int16)
    t = cuda.threadIdx.x
    lane = t % 32
    warp = t // 32
    i = cuda.blockIdx.x * SIZE + t
    own = a[i] if i < a.size else int32(0)
    x = own
    d = 1
    while d < 32:
        below = cuda.shfl_up_sync(FULL, x, d)
        if lane >= d:
            x = int32(x + below)
        d *= 2
    if lane == 31:
        totals[warp] = x
    cuda.syncthreads()
    for w in range(warp):
        x = int32(x + totals[w])
    if i < a.size:
        out[i] = x - own
    if t == SIZE - 1:
        sums[cuda.blockIdx.x] = x
