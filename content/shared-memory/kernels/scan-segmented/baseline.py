from numba import cuda, float32, int32

SIZE = 256


@cuda.jit
def scan(a, flags, out):
    sums = cuda.shared.array(SIZE, float32)
    starts = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * SIZE + t
    v = float32(0.0)
    begun = int32(0)
    if i < a.size:
        v = a[i]
        begun = int32(flags[i])
    sums[t] = v
    starts[t] = begun
    cuda.syncthreads()
    step = 1
    while step < SIZE:
        before = float32(0.0)
        there = int32(0)
        if t >= step:
            before = sums[t - step]
            there = starts[t - step]
        cuda.syncthreads()
        if t >= step:
            if begun == 0:
                v += before
            begun |= there
            sums[t] = v
            starts[t] = begun
        cuda.syncthreads()
        step *= 2
    if i < a.size:
        out[i] = v
