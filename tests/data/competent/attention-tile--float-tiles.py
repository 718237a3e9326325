import math

from numba import cuda, float32

T = 32
PITCH = T + 1
W = 8
ALL = 0xFFFFFFFF
NONE = float32(-1e38)


@cuda.jit
def attention(q, k, v, scale, out):
    """Tiles in float32, the query and the weights in shared memory, zeros beyond the last key."""
    ks = cuda.shared.array((T, PITCH), float32)
    vs = cuda.shared.array((T, T), float32)
    qs = cuda.shared.array((W, T), float32)
    ps = cuda.shared.array((W, T), float32)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    row = cuda.blockIdx.x * W + y
    live = row < q.shape[0]
    qs[y, x] = float32(q[row, x]) if live else float32(0.0)
    top = NONE
    total = float32(0.0)
    acc = float32(0.0)
    tiles = (k.shape[0] + T - 1) // T
    for tile in range(tiles):
        for r in range(y, T, W):
            j = tile * T + r
            inside = j < k.shape[0]
            ks[r, x] = float32(k[j, x]) if inside else float32(0.0)
            vs[r, x] = float32(v[j, x]) if inside else float32(0.0)
        cuda.syncthreads()
        s = NONE
        if tile * T + x < k.shape[0]:
            s = float32(0.0)
            for d in range(T):
                s += qs[y, d] * ks[x, d]
            s *= scale
        new = s
        for step in (16, 8, 4, 2, 1):
            new = max(new, cuda.shfl_xor_sync(ALL, new, step))
        new = max(new, top)
        p = math.exp(s - new)
        ps[y, x] = p
        for step in (16, 8, 4, 2, 1):
            p += cuda.shfl_xor_sync(ALL, p, step)
        cuda.syncwarp()
        fade = math.exp(top - new)
        total = fade * total + p
        acc *= fade
        for j in range(T):
            acc += ps[y, j] * vs[j, x]
        top = new
        cuda.syncthreads()
    if live:
        out[row, x] = acc / total
