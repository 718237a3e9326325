from numba import cuda, int32


@cuda.jit
def histogram(data, bins):
    own = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    own[t] = 0
    cuda.syncthreads()
    first = cuda.blockIdx.x * 4096
    for k in range(16):
        i = first + t + 256 * k
        if i < data.shape[0]:
            cuda.atomic.add(own, int32(data[i]), int32(1))
    cuda.syncthreads()
    if own[t] > 0:
        cuda.atomic.add(bins, t, own[t])
