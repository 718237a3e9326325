from numba import cuda, float32, int32

THREADS = 256
K = 8
LOWEST = -3.0e38


@cuda.jit
def top_k(x, values, places):
    best = cuda.shared.array(THREADS, float32)
    where = cuda.shared.array(THREADS, int32)
    columns = x.shape[1]
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    last = float32(3.0e38)
    before = int32(-1)
    for k in range(K):
        v = float32(LOWEST)
        at = int32(columns)
        for c in range(t, columns, THREADS):
            e = x[r, c]
            if (e < last or (e == last and c > before)) and e > v:
                v = e
                at = int32(c)
        best[t] = v
        where[t] = at
        cuda.syncthreads()
        half = THREADS // 2
        while half > 0:
            if t < half:
                other = best[t + half]
                there = where[t + half]
                if other > best[t] or (other == best[t] and there < where[t]):
                    best[t] = other
                    where[t] = there
            cuda.syncthreads()
            half //= 2
        last = best[0]
        before = where[0]
        if t == 0:
            values[r, k] = last
            places[r, k] = before
        cuda.syncthreads()
