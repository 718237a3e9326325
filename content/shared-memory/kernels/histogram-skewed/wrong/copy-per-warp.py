from numba import cuda, int32

WARPS = 8
CLASSES = 16


@cuda.jit
def class_sums(classes, weights, sums):
    s = cuda.shared.array((WARPS, CLASSES), int32)
    t = cuda.threadIdx.x
    if t < WARPS * CLASSES:
        s[t // CLASSES, t % CLASSES] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), classes.size, cuda.gridsize(1)):
        cuda.atomic.add(s, (t // 32, classes[i] & 15), weights[i])
    cuda.syncthreads()
    if t < CLASSES:
        x = int32(0)
        for w in range(WARPS):
            x = int32(x + s[w, t])
        cuda.atomic.add(sums, t, x)
