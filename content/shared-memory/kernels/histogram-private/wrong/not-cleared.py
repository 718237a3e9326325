from numba import cuda, int32

BINS = 256


@cuda.jit
def histogram(data, bins):
    counts = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    for i in range(cuda.grid(1), data.size, cuda.gridsize(1)):
        cuda.atomic.add(counts, data[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(bins, t, counts[t])
