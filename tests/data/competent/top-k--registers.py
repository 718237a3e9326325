from numba import cuda, float32, int32

ALL = 0xFFFFFFFF


@cuda.jit
def top_k(x, values, places):
    """Four elements a thread in registers; warp 0 picks among the warps' winners."""
    v = cuda.local.array(4, float32)
    ws = cuda.shared.array(32, float32)
    wi = cuda.shared.array(32, int32)
    t = cuda.threadIdx.x
    r = cuda.blockIdx.x
    lane = t & 31
    for i in range(4):
        c = i * 256 + t
        v[i] = x[r, c] if c < x.shape[1] else float32(-1e9)
    for k in range(8):
        best = v[0]
        at = t
        for i in range(1, 4):
            if v[i] > best:
                best = v[i]
                at = i * 256 + t
        for d in (16, 8, 4, 2, 1):
            o = cuda.shfl_down_sync(ALL, best, d)
            p = cuda.shfl_down_sync(ALL, at, d)
            if o > best or (o == best and p < at):
                best, at = o, p
        if lane == 0:
            ws[t >> 5] = best
            wi[t >> 5] = at
        cuda.syncthreads()
        if t < 32:
            best = ws[lane] if lane < 8 else float32(-1e10)
            at = wi[lane] if lane < 8 else 1 << 20
            for d in (4, 2, 1):
                o = cuda.shfl_down_sync(ALL, best, d)
                p = cuda.shfl_down_sync(ALL, at, d)
                if o > best or (o == best and p < at):
                    best, at = o, p
            if lane == 0:
                values[r, k] = best
                places[r, k] = at
                wi[8] = at
        cuda.syncthreads()
        gone = wi[8]
        if gone % 256 == t:
            v[gone // 256] = -1e10
