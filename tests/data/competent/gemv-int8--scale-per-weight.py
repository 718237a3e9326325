from numba import cuda, float32

MOST = 4096


@cuda.jit
def gemv(w, scales, x, y):
    xs = cuda.shared.array(MOST, float32)
    lane = cuda.threadIdx.x
    columns = x.size
    r = cuda.blockIdx.x * 8 + cuda.threadIdx.y
    c = cuda.threadIdx.y * 32 + lane
    while c < columns:
        xs[c] = float32(x[c])
        c += 256
    cuda.syncthreads()
    if r < y.size:
        s = float32(0)
        for c in range(lane, columns, 32):
            s += float32(w[r, c]) * scales[r, c >> 6] * xs[c]
        for mask in (16, 8, 4, 2, 1):
            s += cuda.shfl_xor_sync(0xFFFFFFFF, s, mask)
        if lane == 0:
            y[r] = s
