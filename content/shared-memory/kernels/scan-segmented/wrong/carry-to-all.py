from numba import cuda, float32, int32

SIZE = 256
WARPS = 8
ALL = 0xFFFFFFFF


@cuda.jit(device=True)
def warp_scan(v, begun, lane):
    for step in (1, 2, 4, 8, 16):
        before = cuda.shfl_up_sync(ALL, v, step)
        there = cuda.shfl_up_sync(ALL, begun, step)
        if lane >= step:
            if begun == 0:
                v += before
            begun |= there
    return v, begun


@cuda.jit
def scan(a, flags, out):
    sums = cuda.shared.array(WARPS, float32)
    starts = cuda.shared.array(WARPS, int32)
    t = cuda.threadIdx.x
    lane = t % 32
    warp = t // 32
    i = cuda.blockIdx.x * SIZE + t
    v = float32(0.0)
    begun = int32(0)
    if i < a.size:
        v = a[i]
        begun = int32(flags[i])
    v, begun = warp_scan(v, begun, lane)
    if lane == 31:
        sums[warp] = v
        starts[warp] = begun
    cuda.syncthreads()
    if warp == 0:
        total = float32(0.0)
        any_start = int32(0)
        if lane < WARPS:
            total = sums[lane]
            any_start = starts[lane]
        total, any_start = warp_scan(total, any_start, lane)
        if lane < WARPS:
            sums[lane] = total
    cuda.syncthreads()
    if warp > 0:
        v += sums[warp - 1]
    if i < a.size:
        out[i] = v
