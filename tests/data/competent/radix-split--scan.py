from numba import cuda, int32

SIZE = 256


@cuda.jit
def split(keys, out, bit):
    places = cuda.shared.array((2, SIZE), int32)
    s = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * SIZE + t
    zero = 0
    key = int32(0)
    if i < keys.size:
        key = keys[i]
        zero = 1 - (key >> bit & 1)
    places[0, t] = zero
    cuda.syncthreads()
    now = 0
    d = 1
    while d < SIZE:
        x = places[now, t]
        if t >= d:
            x += places[now, t - d]
        places[1 - now, t] = x
        cuda.syncthreads()
        now = 1 - now
        d *= 2
    zeros = places[now, SIZE - 1]
    before = places[now, t] - zero
    if i < keys.size:
        s[before if zero else zeros + t - before] = key
    cuda.syncthreads()
    if i < keys.size:
        out[i] = s[t]
