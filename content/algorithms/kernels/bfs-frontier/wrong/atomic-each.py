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
        won = e < end and cuda.atomic.cas(dist, edges[e], -1, level) == -1
        if won:
            queue[cuda.atomic.add(tail, 0, 1)] = level
