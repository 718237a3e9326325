from numba import cuda, float32, int32

SIZE = 256


@cuda.jit
def compact(a, out, counts):
    count = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    block = cuda.blockIdx.x
    i = block * SIZE + t
    x = a[i] if i < a.size else float32(0.0)
    if t == 0:
        count[0] = 0
    cuda.syncthreads()
    if x > 0:
        place = cuda.atomic.add(count, 0, 1)
        out[block, place] = x
    cuda.syncthreads()
    if t == 0:
        counts[block] = count[0]
