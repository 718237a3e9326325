from numba import cuda

PART = 4096


@cuda.jit
def histogram(data, bins):
    t = cuda.threadIdx.x
    start = cuda.blockIdx.x * PART
    count = 0
    for i in range(start, min(start + PART, data.size)):
        if data[i] == t:
            count += 1
    cuda.atomic.add(bins, t, count)
