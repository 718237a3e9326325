from numba import cuda, int32

CLASSES = 16


@cuda.jit
def class_sums(classes, weights, sums):
    part = cuda.shared.array((CLASSES, 8), int32)
    own = cuda.local.array(CLASSES, int32)
    t = cuda.threadIdx.x
    lane = t % 32
    for c in range(CLASSES):
        own[c] = 0
    for i in range(cuda.grid(1), classes.size, cuda.gridsize(1)):
        kind = classes[i]
        v = weights[i]
        for c in range(CLASSES):
            own[c] += v if kind == c else int32(0)
    for c in range(CLASSES):
        x = own[c]
        for d in (16, 8, 4, 2, 1):
            x = int32(x + cuda.shfl_down_sync(0xFFFFFFFF, x, d))
        if lane == 0:
            part[c, t // 32] = x
    cuda.syncthreads()
    if t < CLASSES:
        x = int32(0)
        for w in range(8):
            x = int32(x + part[t, w])
        cuda.atomic.add(sums, t, x)
