from numba import cuda

ALL = 0xFFFFFFFF


@cuda.jit
def expand(frontier, starts, edges, level, dist, tail, queue):
    lane = cuda.threadIdx.x
    f = cuda.blockIdx.x * 4 + cuda.threadIdx.y
    if f >= frontier.size:
        return
    v = frontier[f]
    end = starts[v + 1]
    for first in range(starts[v], end, 32):
        e = first + lane
        won = e < end and dist[edges[e]] == -1
        if won:
            dist[edges[e]] = level
        votes = cuda.ballot_sync(ALL, won)
        base = 0
        if lane == 0:
            base = cuda.atomic.add(tail, 0, cuda.popc(votes))
        base = cuda.shfl_sync(ALL, base, 0)
        if won:
            queue[base + cuda.popc(votes & cuda.lanemask_lt())] = level
