from numba import cuda, float32

POINTS = 128
MEMBERS = 4
PITCH = MEMBERS + 1


@cuda.jit
def split(points, out):
    tile = cuda.shared.array((POINTS, PITCH), float32)
    n = points.shape[0]
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * POINTS
    for e in range(t, POINTS * MEMBERS, POINTS):
        p = e // MEMBERS
        m = e % MEMBERS
        if first + p < n:
            tile[p, m] = points[first + p, m]
    cuda.syncthreads()
    if first + t < n:
        for m in range(MEMBERS):
            out[m, first + t] = tile[t, m]
