from numba import cuda, float32, int32

THREADS = 256
LONGEST = 1024
LOWEST = -3.0e38


@cuda.jit
def top_k(x, values, places):
    key = cuda.shared.array(LONGEST, float32)
    at = cuda.shared.array(LONGEST, int32)
    columns = x.shape[1]
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    for c in range(t, LONGEST, THREADS):
        key[c] = x[r, c] if c < columns else float32(LOWEST)
        at[c] = c
    cuda.syncthreads()
    size = 2
    while size <= LONGEST:
        d = size // 2
        while d > 0:
            for i in range(t, LONGEST // 2, THREADS):
                c = 2 * i - (i & (d - 1))
                p = c + d
                a, b = key[c], key[p]
                j, k = at[c], at[p]
                before = a > b or (a == b and j < k)
                if before != ((c & size) == 0):
                    key[c], key[p] = b, a
                    at[c], at[p] = k, j
            cuda.syncthreads()
            d //= 2
        size *= 2
    if t < 8:
        values[r, t] = key[t]
        places[r, t] = at[t]
