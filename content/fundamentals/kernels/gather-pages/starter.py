from numba import cuda, float32

WARPS = 8
PAGE = 16
ALL = 0xFFFFFFFF


@cuda.jit
def scores_of(q, cache, table, lengths, scores):
    lane = cuda.threadIdx.x
    position = cuda.blockIdx.x * WARPS + cuda.threadIdx.y
    seq = cuda.blockIdx.y
