from numba import cuda, float32

SIZE = 256
WARPS = SIZE // 32
FULL = 0xFFFFFFFF


@cuda.jit
def scan(a, out):
    totals = cuda.shared.array(WARPS, float32)
    t = cuda.threadIdx.x
    lane = t % 32
    warp = t // 32
    i = cuda.blockIdx.x * SIZE + t
    x = a[i] if i < a.size else float32(0.0)
    d = 1
    while d < 32:
        below = cuda.shfl_up_sync(FULL, x, d)
        if lane >= d:
            x += below
        d *= 2
    if lane == 31:
        totals[warp] = x
    cuda.syncthreads()
    for w in range(warp):
        x += totals[w]
    if i < a.size:
        out[i] = x
