from numba import cuda, int32

SIZE = 256
DIGITS = 16


@cuda.jit
def sort_digit(keys, shift, out, counts):
    digits = cuda.shared.array(SIZE, int32)
    ordered = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    start = cuda.blockIdx.x * SIZE
    count = min(SIZE, keys.size - start)
    key = keys[start + t] if t < count else int32(0)
    digit = key >> shift & 15
    digits[t] = digit
    cuda.syncthreads()
    place = 0
    same = 0
    for i in range(count):
        other = digits[i]
        if other < digit or (other == digit and i < t):
            place += 1
        if other == t:
            same += 1
    if t < count:
        ordered[place] = key
    if t < DIGITS:
        counts[cuda.blockIdx.x, t] = same
    cuda.syncthreads()
    if t < count:
        out[start + t] = ordered[t]
