from numba import cuda, int32

SIZE = 256


@cuda.jit
def split(keys, out, bit):
    s = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    start = cuda.blockIdx.x * SIZE
    count = min(SIZE, keys.size - start)
    if t < count:
        s[t] = keys[start + t]
    cuda.syncthreads()
    if t < count:
        key = s[t]
        one = key >> bit & 1
        place = 0
        for i in range(count):
            other = s[i] >> bit & 1
            if other < one or (other == one and i < t):
                place += 1
        out[start + place] = key
