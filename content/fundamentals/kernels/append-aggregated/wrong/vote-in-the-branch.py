from numba import cuda, int32

FULL = 0xFFFFFFFF


@cuda.jit
def append(x, tail, queue):
    i = cuda.grid(1)
    lane = cuda.laneid
    if i < x.size and x[i] > 0:
        votes = cuda.ballot_sync(FULL, True)
        leader = cuda.ffs(votes) - 1
        base = 0
        if lane == leader:
            base = cuda.atomic.add(tail, 0, cuda.popc(votes))
        base = cuda.shfl_sync(FULL, base, leader)
        queue[base + int32(cuda.popc(votes & cuda.lanemask_lt()))] = 1
