from numba import cuda, int32

CLASSES = 16


@cuda.jit
def class_sums(classes, weights, sums):
    s = cuda.shared.array(CLASSES, int32)
    t = cuda.threadIdx.x
    if t < CLASSES:
        s[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), classes.size, cuda.gridsize(1)):
        cuda.atomic.add(s, classes[i] & 15, weights[i])
    cuda.syncthreads()
    if t < CLASSES:
        cuda.atomic.add(sums, t, s[t])
