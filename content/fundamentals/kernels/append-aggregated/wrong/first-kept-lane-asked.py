from numba import cuda, int32

FULL = 0xFFFFFFFF


@cuda.jit
def append(x, tail, queue):
    i = cuda.grid(1)
    lane = cuda.laneid
    keep = i < x.size and x[i] > 0
    votes = cuda.ballot_sync(FULL, keep)
    base = 0
    if votes != 0 and lane == cuda.ffs(votes) - 1:
        base = cuda.atomic.add(tail, 0, cuda.popc(votes))
    base = cuda.shfl_sync(FULL, base, 0)
    if keep:
        queue[base + int32(cuda.popc(votes & cuda.lanemask_lt()))] = 1
