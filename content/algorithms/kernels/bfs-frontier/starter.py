from numba import cuda

ALL = 0xFFFFFFFF


@cuda.jit
def expand(frontier, starts, edges, level, dist, tail, queue):
    lane = cuda.threadIdx.x
    f = cuda.blockIdx.x * 4 + cuda.threadIdx.y
    if f >= frontier.size:
        return
    v = frontier[f]
