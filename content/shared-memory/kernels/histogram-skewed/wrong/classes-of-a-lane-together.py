from numba import cuda, int32

WARPS = 8
CLASSES = 16
LANES = 32
ALL = 0xFFFFFFFF


@cuda.jit
def class_sums(classes, weights, sums):
    s = cuda.shared.array((WARPS, LANES, CLASSES), int32)
    t = cuda.threadIdx.x
    lane = t % LANES
    warp = t // LANES
    for c in range(CLASSES):
        s[warp, lane, c] = 0
    for i in range(cuda.grid(1), classes.size, cuda.gridsize(1)):
        s[warp, lane, classes[i] & 15] += weights[i]
    cuda.syncthreads()
    for c in range(warp, CLASSES, WARPS):
        x = int32(0)
        for w in range(WARPS):
            x = int32(x + s[w, lane, c])
        d = 16
        while d > 0:
            x = int32(x + cuda.shfl_down_sync(ALL, x, d))
            d //= 2
        if lane == 0:
            cuda.atomic.add(sums, c, x)
