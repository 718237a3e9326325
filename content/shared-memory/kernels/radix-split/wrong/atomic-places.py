from numba import cuda, int32

SIZE = 256


@cuda.jit
def split(keys, out, bit):
    s = cuda.shared.array(SIZE, int32)
    ones = cuda.shared.array(1, int32)
    next_place = cuda.shared.array(2, int32)
    t = cuda.threadIdx.x
    start = cuda.blockIdx.x * SIZE
    count = min(SIZE, keys.size - start)
    if t == 0:
        ones[0] = 0
    cuda.syncthreads()
    key = keys[start + t] if t < count else int32(0)
    one = key >> bit & 1
    if one:
        cuda.atomic.add(ones, 0, 1)
    cuda.syncthreads()
    if t == 0:
        next_place[0] = 0
        next_place[1] = count - ones[0]
    cuda.syncthreads()
    if t < count:
        place = cuda.atomic.add(next_place, one, 1)
        s[place] = key
    cuda.syncthreads()
    if t < count:
        out[start + t] = s[t]
