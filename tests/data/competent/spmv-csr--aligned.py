from numba import cuda, float32

ALL = 0xFFFFFFFF


@cuda.jit
def spmv(starts, columns, values, x, y):
    """Begins at a multiple of 32, so that every access is aligned; one tree in shared memory."""
    part = cuda.shared.array((8, 32), float32)
    lane = cuda.threadIdx.x
    w = cuda.threadIdx.y
    row = cuda.blockIdx.x * 8 + w
    s = float32(0.0)
    if row < y.size:
        first = starts[row]
        last = starts[row + 1]
        for i in range(first // 32 * 32 + lane, last, 32):
            if i >= first:
                s += values[i] * x[columns[i]]
    part[w, lane] = s
    cuda.syncwarp()
    d = 16
    while d > 0:
        if lane < d:
            part[w, lane] += part[w, lane + d]
        cuda.syncwarp()
        d //= 2
    if lane == 0 and row < y.size:
        y[row] = part[w, 0]
