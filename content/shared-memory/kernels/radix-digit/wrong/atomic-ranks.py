from numba import cuda, int32

SIZE = 256
DIGITS = 16


@cuda.jit
def sort_digit(keys, shift, out, counts):
    totals = cuda.shared.array(DIGITS, int32)
    ordered = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    start = cuda.blockIdx.x * SIZE
    count = min(SIZE, keys.size - start)
    if t < DIGITS:
        totals[t] = 0
    cuda.syncthreads()
    key = keys[start + t] if t < count else int32(0)
    digit = key >> shift & 15
    rank = 0
    if t < count:
        rank = cuda.atomic.add(totals, digit, 1)
    cuda.syncthreads()
    if t < count:
        first = 0
        for d in range(digit):
            first += totals[d]
        ordered[first + rank] = key
    if t < DIGITS:
        counts[cuda.blockIdx.x, t] = totals[t]
    cuda.syncthreads()
    if t < count:
        out[start + t] = ordered[t]
