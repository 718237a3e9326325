from numba import cuda, int32

BINS = 256


@cuda.jit
def histogram(data, bins):
    counts = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    counts[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), data.size, cuda.gridsize(1)):
        cuda.atomic.add(counts, data[i], 1)
    cuda.syncthreads()
    bins[t] += counts[t]
