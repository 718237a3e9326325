from numba import cuda, float32, int32

THREADS = 256
WARPS = 8
LONGEST = 1024
K = 8
ALL = 0xFFFFFFFF
LOWEST = 0.0


@cuda.jit
def top_k(x, values, places):
    row = cuda.shared.array(LONGEST, float32)
    best = cuda.shared.array(WARPS, float32)
    where = cuda.shared.array(WARPS, int32)
    columns = x.shape[1]
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    for c in range(t, columns, THREADS):
        row[c] = x[r, c]
    for k in range(K):
        v = float32(LOWEST)
        at = int32(LONGEST)
        for c in range(t, columns, THREADS):
            if row[c] > v:
                v = row[c]
                at = int32(c)
        for step in (16, 8, 4, 2, 1):
            other = cuda.shfl_xor_sync(ALL, v, step)
            there = cuda.shfl_xor_sync(ALL, at, step)
            if other > v or (other == v and there < at):
                v = other
                at = there
        if t % 32 == 0:
            best[t // 32] = v
            where[t // 32] = at
        cuda.syncthreads()
        for w in range(WARPS):
            if best[w] > v or (best[w] == v and where[w] < at):
                v = best[w]
                at = where[w]
        if t == 0:
            values[r, k] = v
            places[r, k] = at
        if t == at % THREADS:
            row[at] = LOWEST
        cuda.syncthreads()
