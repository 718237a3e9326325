from numba import cuda, float32, int32

ALL = 0xFFFFFFFF


@cuda.jit(device=True)
def warp_scan(v, f, lane):
    for d in (1, 2, 4, 8, 16):
        u = cuda.shfl_up_sync(ALL, v, d)
        g = cuda.shfl_up_sync(ALL, f, d)
        if lane >= d:
            v = v if f else u + v
            f = f | g
    return v, f


@cuda.jit
def scan(a, flags, out):
    """The first warp scans the warps' pairs, as in many libraries."""
    vs = cuda.shared.array(32, float32)
    fs = cuda.shared.array(32, int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    lane = t % 32
    warp = t // 32
    v = float32(0.0)
    f = int32(1)
    if i < a.size:
        v = a[i]
        f = int32(flags[i])
    v, f = warp_scan(v, f, lane)
    if lane == 31:
        vs[warp] = v
        fs[warp] = f
    cuda.syncthreads()
    if warp == 0:
        u = float32(0.0)
        g = int32(0)
        if lane < 8:
            u = vs[lane]
            g = fs[lane]
        u, g = warp_scan(u, g, lane)
        vs[lane] = u
    cuda.syncthreads()
    if warp > 0 and f == 0:
        v += vs[warp - 1]
    if i < a.size:
        out[i] = v
