from numba import cuda, int32


@cuda.jit
def class_sums(classes, weights, sums):
    s = cuda.shared.array((16, 32), int32)
    t = cuda.threadIdx.x
    lane = t & 31
    s[t >> 5, lane] = 0
    s[(t >> 5) + 8, lane] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), classes.size, cuda.gridsize(1)):
        cuda.atomic.add(s, (classes[i], lane), weights[i])
    cuda.syncthreads()
    for c in (t >> 5, (t >> 5) + 8):
        x = s[c, lane]
        for d in (16, 8, 4, 2, 1):
            x = int32(x + cuda.shfl_xor_sync(0xFFFFFFFF, x, d))
        if lane == 0:
            cuda.atomic.add(sums, c, x)
